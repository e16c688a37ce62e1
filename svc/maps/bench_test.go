package maps_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/svctest"
)

// BenchmarkReads measures reads of a region of 26,000 places and, with -long, of
// 523,000. It reports the times that half and 99 % of the reads do not exceed.
func BenchmarkReads(b *testing.B) {
	sizes := []int{26_000}
	if svctest.IsLong() {
		sizes = append(sizes, 523_000)
	}
	for _, n := range sizes {
		places := synthetic(n)
		s, db := withPlaces(b, places)
		random := rand.New(rand.NewPCG(3, 4))
		somewhere := func() geo.Point { return places[random.IntN(len(places))].Point }
		pick := func(list []string) string { return list[random.IntN(len(list))] }
		name := func() string { return places[random.IntN(len(places))].Name }
		search := func(q maps.SearchQuery) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				_, err := s.Search(tx, q)
				return err
			}
		}
		for _, c := range []struct {
			name string
			do   func() func(*store.Tx) error
		}{
			{"term in 5 km", func() func(*store.Tx) error {
				return search(maps.SearchQuery{Text: pick(slices.Concat(placeNames, placeFirsts, streetNames)), Origin: new(somewhere()), Radius: 5000, Limit: 40})
			}},
			{"term everywhere", func() func(*store.Tx) error {
				return search(maps.SearchQuery{Text: pick(slices.Concat(placeNames, placeFirsts, streetNames)), Limit: 20})
			}},
			{"name everywhere", func() func(*store.Tx) error {
				return search(maps.SearchQuery{Text: cmp.Or(name(), "Lion"), Origin: new(somewhere()), Limit: 20})
			}},
			{"category in 5 km", func() func(*store.Tx) error {
				return search(maps.SearchQuery{Text: pick([]string{"pharmacy", "cafés", "Bushaltestelle", "supermarché"}), Origin: new(somewhere()), Radius: 5000, Limit: 40})
			}},
			{"address everywhere", func() func(*store.Tx) error {
				town := places[random.IntN(len(places)/townRows)*townRows/2].Address.City
				return search(maps.SearchQuery{Text: fmt.Sprintf("%s %s %d %s", pick(streetNames), pick(streetTypes), 2+random.IntN(20), town), Limit: 20})
			}},
			{"12 frequent words", func() func(*store.Tx) error {
				list := slices.Concat(streetNames, streetTypes, placeFirsts, placeNames)
				random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				return search(maps.SearchQuery{Text: strings.Join(list[:12], " "), Limit: 20})
			}},
			{"two typing errors", func() func(*store.Tx) error {
				return search(maps.SearchQuery{Text: pick([]string{"Goldne Loin Restaurnt", "Victroia Stret", "Sylver Swann Phramacy"}), Limit: 20})
			}},
			{"reverse", func() func(*store.Tx) error {
				p := somewhere()
				p.Latitude += random.NormFloat64() * 0.002
				return func(tx *store.Tx) error {
					_, err := s.Reverse(tx, p, "en")
					return err
				}
			}},
			{"nearby in 1 km", func() func(*store.Tx) error {
				p := somewhere()
				return func(tx *store.Tx) error {
					_, _, err := s.Nearby(tx, maps.NearbyQuery{Origin: p, Radius: 1000, Limit: 100})
					return err
				}
			}},
			{"clusters of the region", func() func(*store.Tx) error {
				return func(tx *store.Tx) error {
					_, _, err := s.InBox(tx, geo.Box{South: 49, West: 9, North: 53, East: 13}, nil, 200, "en")
					return err
				}
			}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) { measure(b, db, c.do) })
		}
	}
}

// measure runs reads and reports the percentiles of their times.
func measure(b *testing.B, db *store.DB, next func() func(*store.Tx) error) {
	var times []time.Duration
	for b.Loop() {
		fn := next()
		start := time.Now()
		read(b, db, fn)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}
