package page

// Text returns foreign text as plain text: entities are decoded, also twice
// encoded ones, tags and control characters removed, white space collapsed, and the
// result cut at a word boundary to at most limit bytes.
func Text(s string, limit int) string { return "" }

// Lines is [Text] for text with line breaks, which it keeps.
func Lines(s string, limit int) string { return "" }
