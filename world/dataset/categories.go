package dataset

// Category is a kind of place that the field can show.
type Category struct{ ID, Label string }

// Categories lists all kinds of places, in the order in which they are offered.
var Categories = []Category{
	{"food", "Food"}, {"coffee", "Coffee"}, {"groceries", "Groceries"}, {"shops", "Shops"}, {"services", "Services"},
	{"health", "Health"}, {"transit", "Transit"}, {"parks", "Parks"}, {"culture", "Culture"}, {"lodging", "Lodging"},
}

// Radii lists the radii of the field that are offered, in metres.
var Radii = []int{250, DefaultRadius / 2, DefaultRadius, 2000, 5000}

// Limits of the radius of the field, in metres. Requests outside of them are
// clamped.
const (
	DefaultRadius = 1000 // for requests without a radius
	MinRadius     = 50
	MaxRadius     = 10000
)
