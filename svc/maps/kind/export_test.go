package kind

// Listed returns the kinds of the table.
func Listed() (list []string) {
	for _, d := range table {
		list = append(list, d.kind)
	}
	return list
}
