//! Dispatch latency of the model, beside the floor, by chain length and payload.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use hookproof_benches::{chain, dispatch, floor, payload, terms};
use hookproof_model::kernel::{Firing, Reply};
use serde_json::Value;

fn all_defer(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("all-defer");
    for length in [1, 4, 16] {
        for bytes in [1 << 10, 1 << 16] {
            let (hooks, value) = (chain(length), payload(bytes));
            let firing = Firing::new(terms(), hooks.clone(), Value::Null, "input", value.clone());
            let name = format!("{length}x{bytes}B");
            group.bench_function(BenchmarkId::new("model", &name), |bencher| {
                bencher.iter_batched(
                    || firing.clone(),
                    |firing| dispatch(firing, |_| Reply::defer()),
                    BatchSize::SmallInput,
                );
            });
            group.bench_function(BenchmarkId::new("floor", &name), |bencher| {
                bencher.iter(|| floor(&hooks, &value, |_| Reply::defer()));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, all_defer);
criterion_main!(benches);
