package extract

import "appliance/svc/translate/maintext"

// Contents of the parts. All texts are plain; URLs are absolute http or https URLs,
// also mailto and tel in Contact; amounts are decimal strings.
type (
	Business struct {
		Name        string            `json:"name"`
		Types       []string          `json:"types"`
		Description string            `json:"description,omitzero"`
		Address     *Address          `json:"address,omitzero"`
		Geo         *Geo              `json:"geo,omitzero"`
		Phones      []string          `json:"phones,omitzero"`
		Emails      []string          `json:"emails,omitzero"`
		URL         string            `json:"url,omitzero"`
		SameAs      []string          `json:"same_as,omitzero"`
		PriceRange  string            `json:"price_range,omitzero"`
		Cuisines    []string          `json:"cuisines,omitzero"`
		Rating      *Rating           `json:"rating,omitzero"`
		MenuURL     string            `json:"menu_url,omitzero"`
		Images      []*maintext.Image `json:"images,omitzero"`
		Logo        *maintext.Image   `json:"logo,omitzero"`
	}
	Address struct {
		Street   string `json:"street,omitzero"`
		Locality string `json:"locality,omitzero"`
		Region   string `json:"region,omitzero"`
		Postcode string `json:"postcode,omitzero"`
		Country  string `json:"country,omitzero"`
		Text     string `json:"text"` // the whole address on one line
	}
	Geo struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
	}
	Rating struct {
		Value string `json:"value"` // decimal
		Best  string `json:"best,omitzero"`
		Count int    `json:"count,omitzero"`
	}
	Hours struct {
		Name       string              `json:"name,omitzero"`
		Weekly     map[string][]Period `json:"weekly"` // by "mon" to "sun"; absent if unknown
		ClosedDays []string            `json:"closed_days,omitzero"`
		AlwaysOpen bool                `json:"always_open,omitzero"`
		Exceptions []Exception         `json:"exceptions,omitzero"`
		Raw        []string            `json:"raw"`               // as the page writes them
		Unparsed   []string            `json:"unparsed,omitzero"` // texts that the other fields do not represent, such as hours of public holidays
	}
	Period struct {
		Open      string `json:"open"`               // hh:mm
		Close     string `json:"close"`              // hh:mm, up to 24:00
		Overnight bool   `json:"overnight,omitzero"` // Close is on the next day
	}
	Exception struct {
		From    string   `json:"from"` // yyyy-mm-dd
		Through string   `json:"through"`
		Days    []string `json:"days,omitzero"` // "mon" to "sun"; absent for all days
		Closed  bool     `json:"closed,omitzero"`
		Periods []Period `json:"periods,omitzero"`
	}
	Menu struct {
		Name     string        `json:"name,omitzero"`
		Currency string        `json:"currency,omitzero"` // ISO 4217
		Sections []MenuSection `json:"sections"`
	}
	MenuSection struct {
		Name        string        `json:"name,omitzero"`
		Description string        `json:"description,omitzero"`
		Items       []MenuItem    `json:"items,omitzero"`
		Sections    []MenuSection `json:"sections,omitzero"`
	}
	MenuItem struct {
		Name        string   `json:"name"`
		Description string   `json:"description,omitzero"`
		Prices      []Price  `json:"prices,omitzero"`
		Diets       []string `json:"diets,omitzero"`
	}
	Price struct {
		Amount   string `json:"amount,omitzero"` // decimal; absent if the page states no single number
		Currency string `json:"currency,omitzero"`
		Label    string `json:"label,omitzero"` // the name of the offer, or the price as the page writes it if Amount is absent
	}
	Events struct {
		Events []Event `json:"events"` // by start
	}
	Event struct {
		Name       string          `json:"name"`
		Start      string          `json:"start"`               // RFC 3339 in UTC, or local without an offset, or a date
		UTCOffset  string          `json:"utc_offset,omitzero"` // at the place of the event, such as "+02:00"
		Timezone   *string         `json:"timezone"`            // always null: times are in UTC, or local without a zone
		End        string          `json:"end,omitzero"`
		AllDay     bool            `json:"all_day,omitzero"`
		Repeats    string          `json:"repeats,omitzero"` // ISO 8601 duration, such as "P1W"; Start is that of the next occurrence
		Location   *Location       `json:"location,omitzero"`
		Offers     []Price         `json:"offers,omitzero"`
		Status     string          `json:"status,omitzero"` // "scheduled", "cancelled", "postponed", "rescheduled" or "moved_online"
		Performers []string        `json:"performers,omitzero"`
		Organizer  string          `json:"organizer,omitzero"`
		Image      *maintext.Image `json:"image,omitzero"`
		URL        string          `json:"url,omitzero"`

		when string // Start in words, in the local time of the place
	}
	Location struct {
		Name    string   `json:"name,omitzero"`
		Address *Address `json:"address,omitzero"`
		Geo     *Geo     `json:"geo,omitzero"`
		Virtual bool     `json:"virtual,omitzero"`
		URL     string   `json:"url,omitzero"` // of a virtual location
	}
	Gallery struct {
		Images []*maintext.Image `json:"images"`
	}
	Article struct {
		Headline  string            `json:"headline"`
		Authors   []string          `json:"authors,omitzero"`
		Published string            `json:"published,omitzero"` // RFC 3339 or a date
		Modified  string            `json:"modified,omitzero"`
		Section   string            `json:"section,omitzero"`
		Language  string            `json:"language,omitzero"` // BCP 47
		Publisher string            `json:"publisher,omitzero"`
		Words     int               `json:"word_count"`
		Images    []*maintext.Image `json:"images,omitzero"`
		Blocks    []maintext.Block  `json:"blocks"`
		Review    *Review           `json:"review,omitzero"`
	}
	Review struct {
		Item   string  `json:"item,omitzero"` // name of the reviewed item
		Rating *Rating `json:"rating,omitzero"`
	}
	Contact struct {
		Name    string         `json:"name,omitzero"`
		URL     string         `json:"url,omitzero"`
		Points  []ContactPoint `json:"points"`
		Address *Address       `json:"address,omitzero"`
	}
	ContactPoint struct {
		Type      string   `json:"type,omitzero"`
		Phone     string   `json:"phone,omitzero"`
		Email     string   `json:"email,omitzero"`
		Languages []string `json:"languages,omitzero"`
		Hours     string   `json:"hours,omitzero"`
	}
)
