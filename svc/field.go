package svc

// Category is a kind of place. What a map calls so is Maps' to say.
type Category struct{ ID, Label string }

// Categories are all kinds of places, in the order in which they are offered
// (B-30).
var Categories = []Category{
	{"food", "Food"}, {"coffee", "Coffee"}, {"groceries", "Groceries"}, {"shops", "Shops"}, {"services", "Services"},
	{"health", "Health"}, {"transit", "Transit"}, {"parks", "Parks"}, {"culture", "Culture"}, {"lodging", "Lodging"},
}

// The radius of the field, in metres: what is offered, what it is for whoever
// does not say, and what is served.
var Radii = []int{250, UsualRadius / 2, UsualRadius, 2000, 5000}

const (
	UsualRadius = 1000
	LeastRadius = 50
	MostRadius  = 10000
)
