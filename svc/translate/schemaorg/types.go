package schemaorg

// IsSubtype reports whether a type is another type or one of its subtypes. Both are
// names without a prefix, in any case.
func IsSubtype(name, of string) bool { return false }
