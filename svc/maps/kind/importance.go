package kind

import (
	"math"
	"strconv"
	"strings"
)

// importanceOf returns the importance of a place, at least 0 and at most 1.
func importanceOf(d definition, tags map[string]string) float64 {
	value := d.importance
	if strings.HasPrefix(d.kind, "place=") {
		value = max(value, populationImportance(tags["population"]))
		if capital := tags["capital"]; capital == "yes" || capital == "2" {
			value += 0.08
		}
	}
	if tags["wikipedia"] != "" || tags["wikidata"] != "" {
		value += 0.1
	}
	if tags["heritage"] != "" {
		value += 0.05
	}
	if d.kind != "tourism=attraction" && tags["tourism"] == "attraction" {
		value += 0.1
	}
	languages := 0
	for key := range tags {
		if strings.HasPrefix(key, "name:") {
			languages++
		}
	}
	value += 0.02 * float64(min(languages, 5)) // names in many languages are a sign of a sight
	return min(max(value, 0), 1)
}

// populationImportance returns the importance of a settlement with a number of inhabitants:
// 0.375 for a thousand, 0.75 for a million.
func populationImportance(text string) float64 {
	text = strings.Map(func(r rune) rune {
		if r == ' ' || r == ',' || r == '.' || r == '\'' {
			return -1
		}
		return r
	}, text)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0
	}
	return min(math.Log10(float64(n))/8, 0.9)
}
