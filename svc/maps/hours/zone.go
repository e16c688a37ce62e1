package hours

import (
	"slices"
	"strings"
	"sync"
	"time"

	"appliance/svc"
	"appliance/svc/maps/geo"

	"github.com/zsefvlol/timezonemapper"
)

// Zone returns the time zone of a position. country is the ISO 3166-1 code of its
// country, "" if unknown. If the country has one time zone, Zone returns it;
// otherwise the zone is that of a simplified map of time zones, which is inaccurate
// near borders. ok is false if the map contradicts the country.
func Zone(country string, p geo.Point) (loc *time.Location, ok bool) {
	countries, zones := zoneTable()
	ofCountry := zones[strings.ToUpper(country)]
	if len(ofCountry) == 1 {
		return svc.Zone(ofCountry[0])
	}
	name := timezonemapper.LatLngToTimezoneString(p.Latitude, p.Longitude)
	// A zone without a country is a former name.
	if of := countries[name]; len(ofCountry) > 0 && len(of) > 0 && !slices.Contains(ofCountry, name) {
		return nil, false
	}
	return svc.Zone(name)
}

// zoneTable returns the countries of each zone and the zones of each country.
var zoneTable = sync.OnceValues(func() (countries, zones map[string][]string) {
	countries, zones = make(map[string][]string), make(map[string][]string)
	for line := range strings.Lines(strings.TrimSpace(countryZones)) {
		words := strings.Fields(line)
		zones[words[0]] = words[1:]
		for _, zone := range words[1:] {
			countries[zone] = append(countries[zone], words[0])
		}
	}
	return countries, zones
})
