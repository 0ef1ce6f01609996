"""VoiceOS hooks: MCP tools with reserved names, shared budgets, always fail open."""
