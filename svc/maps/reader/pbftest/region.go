package pbftest

import (
	"fmt"
	"io"
	"math/rand/v2"
)

// Elements of a synthetic town. About one in eight has a name or an address, and most
// of the file is geometry, as in files of OpenStreetMap.
const (
	townStreets   = 40
	streetNodes   = 15
	townBuildings = 700
	buildingNodes = 6
	townShops     = 40
	townAddresses = 40
	townNodes     = 1 + townStreets*streetNodes + townBuildings*buildingNodes + townShops + townAddresses
	townWays      = townStreets + townBuildings

	townSize    = 25_000 // bytes of a town in the compressed file
	rowTowns    = 80     // from west to east
	townDegrees = 0.04   // distance of neighbors
)

// South and West are the corner of the synthetic region in degrees; its first town is
// at this corner.
const (
	South = 40.0
	West  = 5.0
)

// Words of synthetic names.
var (
	townStarts  = []string{"Ash", "Birch", "Cold", "Dry", "East", "Fair", "Green", "High", "Iron", "King", "Long", "Mill", "New", "North", "Oak", "Port", "Red", "South", "Stone", "West"}
	townEnds    = []string{"bridge", "brook", "burgh", "by", "field", "ford", "ham", "haven", "ley", "mouth", "stead", "ton", "wick", "worth"}
	streetNames = []string{"Main", "High", "Church", "Station", "Park", "Mill", "Victoria", "Queen", "King", "Garden", "River", "Market", "School", "Castle", "Bridge", "Orchard", "Chapel"}
	streetTypes = []string{"Street", "Road", "Avenue", "Lane", "Square"}
	roadClasses = []string{"primary", "secondary", "residential", "residential", "footway"}
	shopNames   = []string{"Lion", "Star", "Crown", "Anchor", "Rose", "Bear", "Eagle", "Ship", "Bell", "Swan", "Sun", "Moon", "Fox", "Harbour"}
	shopColors  = []string{"Golden", "Old", "Royal", "Blue", "Red", "Little", "Grand", "Silver", "White", "Green"}
	shopKinds   = [][2]string{{"amenity", "cafe"}, {"amenity", "restaurant"}, {"amenity", "pharmacy"}, {"amenity", "bank"}, {"shop", "bakery"}, {"shop", "supermarket"}, {"tourism", "hotel"}, {"tourism", "museum"}}
)

// WriteRegion writes the file of a synthetic region with about this number of bytes: a
// grid of towns with streets, buildings, shops and addresses. A larger file begins with
// the same towns. The same size gives the same file.
func WriteRegion(w io.Writer, size int64) error {
	f := New(nil)
	towns := max(size/townSize, 1)
	for _, add := range []func(*File, int64){addTownNodes, addTownWays} {
		for town := range towns {
			add(f, town)
			if _, err := w.Write(f.Drain()); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(f.Bytes())
	return err
}

// TownName returns the name of the n-th town.
func TownName(n int64) string {
	starts, ends := int64(len(townStarts)), int64(len(townEnds))
	name := townStarts[n%starts] + townEnds[n/starts%ends]
	if round := n / starts / ends; round > 0 {
		name += fmt.Sprint(" ", round+1)
	}
	return name
}

// TownCenter returns the position of the n-th town in degrees.
func TownCenter(n int64) (lat, lon float64) {
	return South + townDegrees*float64(n/rowTowns), West + townDegrees*float64(n%rowTowns)
}

// addTownNodes adds the nodes of a town: its center, those of streets and buildings,
// shops and addresses.
func addTownNodes(f *File, town int64) {
	random := rand.New(rand.NewPCG(uint64(town), 1))
	lat, lon := TownCenter(town)
	id := town * townNodes
	node := func(y, x float64, tags ...string) {
		id++
		f.Node(id, y, x, tags...)
	}
	near := func() (y, x float64) { return lat + random.NormFloat64()*0.006, lon + random.NormFloat64()*0.008 }
	node(lat, lon, "place", "town", "name", TownName(town), "population", fmt.Sprint(1000+random.IntN(80_000)))
	for range townStreets {
		y, x := near()
		for range streetNodes {
			y, x = y+random.NormFloat64()*0.0003, x+random.NormFloat64()*0.0003
			node(y, x)
		}
	}
	for range townBuildings {
		y, x := near()
		for range buildingNodes {
			node(y+random.NormFloat64()*0.0001, x+random.NormFloat64()*0.0001)
		}
	}
	for n := range townShops {
		y, x := near()
		kind := shopKinds[n%len(shopKinds)]
		name := shopColors[random.IntN(len(shopColors))] + " " + shopNames[random.IntN(len(shopNames))]
		node(y, x, kind[0], kind[1], "name", name, "website", fmt.Sprintf("https://shop%d-%d.example.org", town, n), "opening_hours", "Mo-Sa 08:00-18:00")
	}
	for n := range townAddresses {
		y, x := near()
		node(y, x, "addr:housenumber", fmt.Sprint(1+random.IntN(90)), "addr:street", streetName(town, n%townStreets), "addr:city", TownName(town))
	}
}

// addTownWays adds the streets and buildings of a town.
func addTownWays(f *File, town int64) {
	id, node := town*townWays, town*townNodes+1
	next := func(count int) (nodes []int64) {
		for range count {
			node++
			nodes = append(nodes, node)
		}
		return nodes
	}
	for n := range townStreets {
		id++
		f.Way(id, next(streetNodes), "highway", roadClasses[n%len(roadClasses)], "name", streetName(town, n))
	}
	for range townBuildings {
		id++
		nodes := next(buildingNodes)
		f.Way(id, append(nodes, nodes[0]), "building", "yes")
	}
}

// streetName returns the name of the n-th street of a town.
func streetName(town int64, n int) string {
	return streetNames[(int(town)+n)%len(streetNames)] + " " + streetTypes[(int(town)+n/len(streetNames))%len(streetTypes)]
}
