package dataset

import "appliance/svc/words"

// Category is a category of places in the field. Its label is in English.
type Category struct{ ID, Label string }

// Categories lists all categories, in the order of the field.
var Categories = []Category{
	{"food", "Food"}, {"coffee", "Coffee"}, {"groceries", "Groceries"}, {"shops", "Shops"}, {"services", "Services"},
	{"health", "Health"}, {"transit", "Transit"}, {"parks", "Parks"}, {"culture", "Culture"}, {"lodging", "Lodging"},
}

// CategoryLabel returns the label of a category in the language l, "" for an unknown one.
func CategoryLabel(l words.Language, id string) string {
	for _, c := range Categories {
		if c.ID == id {
			return l.Text(c.Label)
		}
	}
	return ""
}

// Radii lists the radii that the field offers, in metres.
var Radii = []int{250, DefaultRadius / 2, DefaultRadius, 2000, 5000}

// Limits of the radius of the field, in metres. A radius outside of them is
// clamped.
const (
	DefaultRadius = 1000 // for requests without a radius
	MinRadius     = 50
	MaxRadius     = 10000
)
