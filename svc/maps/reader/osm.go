package reader

import (
	"context"
	"strconv"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/reader/pbf"
)

// osmAttribution is required by the license of OpenStreetMap, the ODbL.
var osmAttribution = mapdata.Attribution{Label: "© OpenStreetMap contributors", URL: "https://www.openstreetmap.org/copyright", Required: true}

// osmReader reads an .osm.pbf file in four passes:
//
//  1. nodes and relations: the positions of all nodes, settlements, and which ways
//     are members of relations
//  2. ways: the positions of these ways, and the coastline
//  3. relations: the boundaries of municipalities and countries
//  4. all elements: places and features, with their towns
//
// A pass skips blocks without elements that it needs.
type osmReader struct {
	ctx     context.Context
	file    *pbf.File
	size    int64
	options Options
	sink    mapdata.Sink

	nodes      nodeTable
	memberWays wayTable
	borderWays idSet // ways of boundaries of countries and states
	towns      *towns
	coast      coast
	lines      namedLines
	streets    map[member]string // streets of elements that do not name their own
	extent     extent
	cover      cover
	tags       map[string]string // of the current element
	points     []pbf.Point       // of the current way
	pass       int64
}

// member is an element of a file.
type member struct {
	kind pbf.Kinds
	id   int64
}

// passCount is the number of passes over the file, for the progress.
const passCount = 4

// maxInherited is the maximum number of elements in osmReader.streets, to bound its memory.
const maxInherited = 500_000

// readOSM reads an .osm.pbf file.
func readOSM(ctx context.Context, f File, o Options, sink mapdata.Sink) error {
	file, err := pbf.Open(f.Content, f.Size)
	if err != nil {
		return err
	}
	r := &osmReader{
		ctx: ctx, file: file, size: f.Size, options: o, sink: sink, extent: newExtent(), cover: newCover(),
		towns: newTowns(), lines: namedLines{lines: make(map[lineKey][]*namedLine)}, streets: make(map[member]string), tags: make(map[string]string),
	}
	r.nodes.spool.Dir, r.memberWays.spool.Dir = o.Dir, o.Dir
	defer r.nodes.close()
	defer r.memberWays.close()
	for _, pass := range []func() error{r.readPositions, r.readMemberWays, r.readBoundaries, r.readPlaces} {
		if err := pass(); err != nil {
			return err
		}
		r.pass++
	}
	o.Progress(passCount*f.Size, passCount*f.Size)
	return nil
}

// scan scans the file and reports the progress.
func (r *osmReader) scan(v pbf.Visitor) error {
	v.Block = func(offset int64) { r.options.Progress(r.pass*r.size+offset, passCount*r.size) }
	return r.file.Scan(r.ctx, v)
}

// readPositions is the first pass. It passes the header to the sink.
func (r *osmReader) readPositions() error {
	err := r.scan(pbf.Visitor{
		Node: func(n *pbf.Node) error {
			if len(n.Tags) > 0 {
				setTags(r.tags, n.Tags)
				r.towns.addSettlement(name(r.tags), r.tags["place"], n.Point)
			}
			r.extent.add(n.Point)
			r.cover.add(n.Point)
			return r.nodes.add(n.ID, n.Point)
		},
		Relation: r.requestMembers,
	})
	if err != nil {
		return err
	}
	if err := r.nodes.finish(); err != nil {
		return err
	}
	r.memberWays.prepare()
	r.borderWays.finish()
	header := mapdata.Header{Bounds: r.extent.box(), DataTime: r.file.Header.DataTime, Attribution: osmAttribution}
	if b := r.file.Header.Bounds; r.file.Header.HasBounds && b[1] <= b[3] {
		header.Bounds = geo.Box{South: b[0], West: b[1], North: b[2], East: b[3]}
	}
	r.extent.bounds = header.Bounds
	return r.sink.Header(header)
}

// requestMembers requests the ways of a relation if the relation is needed.
func (r *osmReader) requestMembers(relation *pbf.Relation) error {
	setTags(r.tags, relation.Tags)
	if r.tags["type"] == "associatedStreet" {
		if street := cleanText(r.tags["name"]); street != "" {
			for _, m := range relation.Members {
				r.inheritStreet(member{m.Kind, m.ID}, street)
			}
		}
		return nil
	}
	if !isArea(r.tags) {
		return nil
	}
	level := adminLevel(r.tags)
	for _, m := range relation.Members {
		if m.Kind != pbf.Ways {
			continue
		}
		if err := r.memberWays.request(m.ID); err != nil {
			return err
		}
		if level >= 2 && level <= 4 {
			r.borderWays.add(m.ID)
		}
	}
	return nil
}

// inheritStreet records the street of an element that may not name its own.
func (r *osmReader) inheritStreet(m member, street string) {
	if len(r.streets) < maxInherited {
		r.streets[m] = strings.Clone(street)
	}
}

// isArea reports whether a relation is an area that is needed.
func isArea(tags map[string]string) bool {
	switch tags["type"] {
	case "multipolygon", "boundary":
	default:
		return false
	}
	if adminLevel(tags) > 0 || areaClass(tags) != 0 {
		return true
	}
	_, ok := placeOf(tags)
	return ok
}

// adminLevel returns the admin_level of an administrative boundary, or 0.
func adminLevel(tags map[string]string) int {
	if tags["boundary"] != "administrative" {
		return 0
	}
	level, err := strconv.Atoi(tags["admin_level"])
	if err != nil || level < 2 || level > maxLevel {
		return 0
	}
	return level
}

// readMemberWays is the second pass.
func (r *osmReader) readMemberWays() error {
	err := r.scan(pbf.Visitor{Way: func(w *pbf.Way) error {
		setTags(r.tags, w.Tags)
		if r.tags["addr:interpolation"] != "" {
			if street := address(r.tags).Street; street != "" {
				for _, id := range w.Refs {
					r.inheritStreet(member{pbf.Nodes, id}, street)
				}
			}
		}
		isCoast := r.tags["natural"] == "coastline"
		if !isCoast && !r.memberWays.isRequested(w.ID) {
			return nil
		}
		points, err := r.pointsOf(w)
		if err != nil {
			return err
		}
		if isCoast {
			r.coast.add(points)
		}
		return r.memberWays.add(w.ID, points)
	}})
	if err != nil {
		return err
	}
	if err := r.memberWays.finish(); err != nil {
		return err
	}
	return r.coast.emit(r.extent.bounds, &r.cover, r.sink)
}

// pointsOf returns the positions of a way, without those that the file lacks. They are
// valid until the next call.
func (r *osmReader) pointsOf(w *pbf.Way) ([]pbf.Point, error) {
	if len(w.Points) > 0 {
		return w.Points, nil
	}
	r.points = r.points[:0]
	for _, id := range w.Refs {
		p, ok, err := r.nodes.find(id)
		if err != nil {
			return nil, err
		}
		if ok {
			r.points = append(r.points, p)
		}
	}
	return r.points, nil
}

// readBoundaries is the third pass.
func (r *osmReader) readBoundaries() error {
	return r.scan(pbf.Visitor{Relation: func(relation *pbf.Relation) error {
		setTags(r.tags, relation.Tags)
		level := adminLevel(r.tags)
		if level == 0 || !isArea(r.tags) {
			return nil
		}
		country := r.tags["ISO3166-1:alpha2"]
		if country == "" {
			country = r.tags["ISO3166-1"]
		}
		if country == "" {
			country, _, _ = strings.Cut(r.tags["ISO3166-2"], "-") // such as US-DE of a state
		}
		if !isCountry(country) {
			country = ""
		}
		rings, err := r.ringsOf(relation)
		if err == nil {
			r.towns.addBoundary(name(r.tags), strings.ToUpper(country), level, rings)
		}
		return err
	}})
}

// maxRelationPoints limits the points of one area. An area beyond it is not drawn.
const maxRelationPoints = 4_000_000

// ringsOf returns the closed rings of a relation.
func (r *osmReader) ringsOf(relation *pbf.Relation) ([][]pbf.Point, error) {
	var lines [][]pbf.Point
	total := 0
	for _, m := range relation.Members {
		if m.Kind != pbf.Ways {
			continue
		}
		points, err := r.memberWays.points(m.ID)
		if err != nil {
			return nil, err
		}
		if total += len(points); total > maxRelationPoints {
			return nil, nil
		}
		lines = append(lines, points)
	}
	rings, _ := joinLines(lines, false)
	return rings, nil
}

// readPlaces is the fourth pass.
func (r *osmReader) readPlaces() error {
	err := r.scan(pbf.Visitor{Node: r.readNode, Way: r.readWay, Relation: r.readRelation})
	if err != nil {
		return err
	}
	return r.lines.flush(r.sink)
}

func (r *osmReader) readNode(n *pbf.Node) error {
	if len(n.Tags) == 0 {
		return nil
	}
	setTags(r.tags, n.Tags)
	if err := r.emitLabel(geoPoint(n.Point)); err != nil {
		return err
	}
	return r.emitPlace(member{pbf.Nodes, n.ID}, "node/", n.Point)
}

// emitLabel passes the label of the current element to the sink if it is a
// settlement.
func (r *osmReader) emitLabel(p geo.Point) error {
	rank, ok := labelRank(r.tags)
	label := labelName(r.tags)
	if !ok || label == "" {
		return nil
	}
	return r.sink.Feature(mapdata.Feature{Class: mapdata.PlaceLabel, Name: label, Rank: rank, Parts: [][]geo.Point{{p}}})
}

// emitPlace passes the current element to the sink, if it is a place or an address.
func (r *osmReader) emitPlace(m member, prefix string, point pbf.Point) error {
	p, ok := r.currentPlace(m, point)
	if !ok {
		return nil
	}
	p.Provider, p.ProviderID, p.Point = "osm", prefix+strconv.FormatInt(m.id, 10), geoPoint(point)
	return r.sink.Place(clonePlace(p))
}

// currentPlace returns the place or address that the tags describe. ok is false if
// they describe none.
func (r *osmReader) currentPlace(m member, point pbf.Point) (p mapdata.Place, ok bool) {
	p, ok = placeOf(r.tags)
	if ok {
		describe(&p, r.tags)
	} else {
		p.Address = address(r.tags)
	}
	if p.Address.Street == "" && p.Address.HouseNumber != "" {
		p.Address.Street = r.streets[m]
	}
	if !ok {
		if p.Address.Street == "" || p.Address.HouseNumber == "" {
			return p, false
		}
		p.Kind, p.Importance = kind.Address, addressImportance
	}
	r.setTown(&p, point)
	return p, true
}

// addressImportance is the importance of an address.
const addressImportance = 0.02

// setTown sets the town and the country of a place unless its address has them.
func (r *osmReader) setTown(p *mapdata.Place, point pbf.Point) {
	if p.Address.City != "" && p.Address.Country != "" {
		return
	}
	town, country := r.towns.find(point)
	if p.Address.City == "" && town != p.Name { // the city of a town is not the town itself
		p.Address.City = town
	}
	if p.Address.Country == "" {
		p.Address.Country = country
	}
}

func (r *osmReader) readWay(w *pbf.Way) error {
	isBorder := r.borderWays.has(w.ID)
	if len(w.Tags) == 0 && !isBorder {
		return nil
	}
	setTags(r.tags, w.Tags)
	packedPoints, err := r.pointsOf(w)
	if err != nil || len(packedPoints) < 2 {
		return err
	}
	points := toGeo(packedPoints)
	closed := isClosed(packedPoints)
	if isBorder && r.tags["maritime"] != "yes" && r.tags["natural"] != "coastline" {
		if err := r.sink.Feature(mapdata.Feature{Class: mapdata.Border, Parts: [][]geo.Point{points}}); err != nil {
			return err
		}
	}
	if class := lineClass(r.tags); class != 0 {
		if err := r.sink.Feature(mapdata.Feature{Class: class, Name: labelName(r.tags), Parts: [][]geo.Point{points}}); err != nil {
			return err
		}
		return r.addNamedLine(w.ID, class, packedPoints, points)
	}
	center, _ := midpoint(points)
	if closed {
		center = pointInArea([][]geo.Point{points})
		if err := r.emitArea([][]geo.Point{points}, center); err != nil {
			return err
		}
	}
	return r.emitPlace(member{pbf.Ways, w.ID}, "way/", toPBF(center))
}

// emitArea passes the current element to the sink, if it is an area to draw.
func (r *osmReader) emitArea(rings [][]geo.Point, center geo.Point) error {
	if place := r.tags["place"]; place == "island" || place == "islet" { // a settlement has a node for its label
		if err := r.emitLabel(center); err != nil {
			return err
		}
	}
	class := areaClass(r.tags)
	if class == 0 {
		return nil
	}
	f := mapdata.Feature{Class: class, Parts: rings}
	if class != mapdata.Building {
		f.Name = name(r.tags)
	}
	return r.sink.Feature(f)
}

// addNamedLine adds a street, a river or a railway to the places.
func (r *osmReader) addNamedLine(id int64, class mapdata.Class, packedPoints []pbf.Point, points []geo.Point) error {
	if name(r.tags) == "" {
		return nil
	}
	p, ok := placeOf(r.tags)
	if !ok {
		if r.tags["highway"] == "" {
			return nil
		}
		p.Kind, p.Importance = kind.Street, streetImportance[class]
		describe(&p, r.tags)
		delete(p.Tags, "ref")
	}
	p.Provider, p.Address.Street, p.Address.HouseNumber = "osm", "", ""
	r.setTown(&p, packedPoints[len(packedPoints)/2])
	r.lines.add(id, points, p)
	if r.lines.isFull() {
		return r.lines.flush(r.sink)
	}
	return nil
}

func (r *osmReader) readRelation(relation *pbf.Relation) error {
	setTags(r.tags, relation.Tags)
	if !isArea(r.tags) {
		return nil
	}
	level := adminLevel(r.tags)
	if level > 0 && (r.tags["place"] == "" || r.towns.hasSettlement(name(r.tags))) {
		return nil
	}
	packedRings, err := r.ringsOf(relation)
	if err != nil || len(packedRings) == 0 {
		return err
	}
	rings := make([][]geo.Point, len(packedRings))
	for i, ring := range packedRings {
		rings[i] = toGeo(ring)
	}
	center := pointInArea(rings)
	if err := r.emitArea(rings, center); err != nil {
		return err
	}
	return r.emitPlace(member{pbf.Relations, relation.ID}, "relation/", toPBF(center))
}

// extent is the smallest box that contains all nodes.
type extent struct {
	south, west, north, east int32
	bounds                   geo.Box // of the file
}

func newExtent() extent { return extent{south: 1, north: -1} }

func (e *extent) add(p pbf.Point) {
	if e.south > e.north {
		e.south, e.north, e.west, e.east = p.Latitude, p.Latitude, p.Longitude, p.Longitude
		return
	}
	e.south, e.north = min(e.south, p.Latitude), max(e.north, p.Latitude)
	e.west, e.east = min(e.west, p.Longitude), max(e.east, p.Longitude)
}

func (e *extent) box() geo.Box {
	if e.south > e.north {
		return geo.Box{}
	}
	low, high := geoPoint(pbf.Point{Latitude: e.south, Longitude: e.west}), geoPoint(pbf.Point{Latitude: e.north, Longitude: e.east})
	return geo.Box{South: low.Latitude, West: low.Longitude, North: high.Latitude, East: high.Longitude}
}
