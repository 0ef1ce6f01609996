//! Packs the vectors into the command, so that it runs without the repository.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // In the repository the vectors stand beside this crate. A published crate has them within it, by the
    // link that stands there.
    let vectors = [here.join("../vectors"), here.join("vectors")];
    let folder = vectors.iter().find(|folder| folder.is_dir()).ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "the vectors are neither beside this crate nor within it")
    })?;
    let mut packed = String::from("[");
    for part in ["anchors", "corpus"] {
        println!("cargo::rerun-if-changed={}", folder.join(part).display());
        for path in files_in(&folder.join(part))? {
            println!("cargo::rerun-if-changed={}", path.display());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let separator = if packed.len() > 1 { "," } else { "" };
            packed
                .push_str(&format!("{separator}\n[\"{part}/{name}\",{}]", fs::read_to_string(&path)?.trim()));
        }
    }
    packed.push_str("\n]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("vectors.json"), packed)
}

/// The JSON files of a folder, by name.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> =
        entries.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    Ok(files)
}
