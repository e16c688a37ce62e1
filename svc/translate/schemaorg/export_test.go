package schemaorg

// Repair exports repair to the tests of package schemaorg_test.
func Repair(script string) (string, bool) { return repair(script) }

// CountTypes returns the number of types in the tree.
func CountTypes() int { return len(classes()) }

// TypesWithoutThing returns the types that are not subtypes of Thing.
func TypesWithoutThing() (list []string) {
	for _, c := range classes() {
		if !IsSubtype(c.name, "Thing") {
			list = append(list, c.name)
		}
	}
	return list
}
