"""A notebook for meetings: an MCP server with three tools and all five VoiceOS hooks."""
