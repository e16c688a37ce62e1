package apptest

import (
	"errors"

	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// OpenStreetMap is the attribution of the regions that [Server.ImportPlaces] imports.
var OpenStreetMap = mapdata.Attribution{Label: "© OpenStreetMap contributors", URL: "https://www.openstreetmap.org/copyright", Required: true}

// ImportPlaces imports a region with these places.
func (s *Server) ImportPlaces(region string, places ...mapdata.Place) {
	s.T.Helper()
	s.importPlaces(maps.NewRegion{Name: region, Format: maps.OSM}, OpenStreetMap, places)
}

// ImportTowns imports an empty gazetteer. It is for servers with the setting towns,
// which tests do not have by default.
func (s *Server) ImportTowns() {
	s.T.Helper()
	s.importPlaces(maps.NewRegion{Name: "towns", Format: maps.Gazetteer}, mapdata.Attribution{}, nil)
}

func (s *Server) importPlaces(region maps.NewRegion, credit mapdata.Attribution, places []mapdata.Place) {
	s.T.Helper()
	i, err := s.App.Maps.Begin(s.T.Context(), s.DB, region)
	if err != nil {
		s.T.Fatal(err)
	}
	i.SetHeader(mapdata.Header{Attribution: credit})
	if err := errors.Join(i.AddPlaces(s.T.Context(), places), i.Publish(s.T.Context())); err != nil {
		s.T.Fatal(err)
	}
}

// Places are places around Valletta, as in a file of OpenStreetMap. The distances from
// [Valletta] are 0, 110, 330, 890 and 11,000 m.
var Places = []mapdata.Place{
	{
		Provider: "osm", ProviderID: "node/1", Name: "Caffe Cordina", Kind: "amenity=cafe", Category: "coffee", Point: Valletta, Importance: 0.3,
		Address: mapdata.Address{HouseNumber: "244", Street: "Republic Street", City: "Valletta", Country: "MT"},
		Tags:    map[string]string{"opening_hours": "Mo-Su 08:00-19:00", "website": "https://caffecordina.example/"},
	},
	{
		Provider: "osm", ProviderID: "way/2", Name: "Il-Mużew Nazzjonali tal-Arkeoloġija", Names: map[string]string{"en": "National Museum of Archaeology", "de": "Archäologisches Museum"},
		Kind: "tourism=museum", Category: "culture", Point: geo.Point{Latitude: 35.8990, Longitude: 14.5124}, Importance: 0.6,
	},
	{Provider: "osm", ProviderID: "node/3", Kind: "amenity=atm", Category: "services", Point: geo.Point{Latitude: 35.9010, Longitude: 14.5124}, Importance: 0.1},
	{
		Provider: "osm", ProviderID: "node/4", Name: "Pharmacy <b>&</b>", Kind: "amenity=pharmacy", Category: "health",
		Point: geo.Point{Latitude: 35.8900, Longitude: 14.5124}, Importance: 0.2, Tags: map[string]string{"opening_hours": "sunrise-sunset"},
	},
	{Provider: "osm", ProviderID: "node/5", Name: "Far Bakery", Kind: "shop=bakery", Category: "groceries", Point: geo.Point{Latitude: 35.7990, Longitude: 14.5124}, Importance: 0.2},
}

// Valletta is the position of the first of [Places].
var Valletta = geo.Point{Latitude: 35.8980, Longitude: 14.5124}

// AtValletta is the query of a request from [Valletta].
const AtValletta = "?lat=35.8980&lon=14.5124"
