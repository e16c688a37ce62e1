package dataset

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/world/action"
)

// Chooser is a control of the field with what each choice leads to.
type Chooser struct {
	FieldChooser
	Choices []Choice
}

// Choice is one item of a chooser.
type Choice struct {
	FieldChoice
	Name  string // of choosing it, unlike all others of the field
	Type  string // of the action
	Query string // of a request that chooses it and keeps the rest, with its ?
}

// Choosers are the controls of the field. Each choice carries the whole state,
// so that nobody has to put an address together (B-30).
func (q Request) Choosers() []Chooser {
	s := q.Params
	categories := Chooser{FieldChooser: FieldChooser{
		ID: "categories", Type: "toggle_group", Label: "Categories", Summary: fmt.Sprintf("%d of %d", len(s.Categories), len(Categories)),
	}}
	for _, c := range Categories {
		selected := slices.Contains(s.Categories, c.ID)
		next := s
		next.Categories = slices.DeleteFunc(slices.Clone(allCategories), func(id string) bool {
			return slices.Contains(s.Categories, id) == (id == c.ID)
		})
		categories.Choices = append(categories.Choices, Choice{
			FieldChoice{ID: c.ID, Label: c.Label, Selected: selected}, "toggle_" + c.ID, "set_field_filter", q.with(next),
		})
	}
	radius := Chooser{FieldChooser: FieldChooser{ID: "radius", Type: "selector", Label: "Radius", Summary: metres(s.Radius)}}
	for _, r := range Radii {
		next := s
		next.Radius = r
		radius.Choices = append(radius.Choices, Choice{
			FieldChoice{strconv.Itoa(r), metres(r), &r, r == s.Radius}, fmt.Sprint("radius_", r), "set_field_radius", q.with(next),
		})
	}
	return []Chooser{categories, radius}
}

func metres(n int) string { return fmt.Sprintf("%d m", n) }

// Query returns the query of the same question, with its ?.
func (q Request) Query() string { return q.with(q.Params) }

// with returns the query of the same question in other surroundings.
func (q Request) with(s Params) string {
	if q.caps == "" {
		return s.query()
	}
	return s.query() + "&caps=" + url.QueryEscape(q.caps)
}

// query is what [ParseParams] reads as s.
func (s Params) query() string {
	var b strings.Builder
	b.WriteByte('?')
	if o := s.Origin; o != nil {
		fmt.Fprintf(&b, "lat=%s&lon=%s&", degrees(o.Latitude), degrees(o.Longitude))
	}
	fmt.Fprintf(&b, "radius=%d", s.Radius)
	if len(s.Categories) < len(allCategories) {
		b.WriteString("&categories=" + strings.Join(s.Categories, ","))
	}
	if s.Sections != nil {
		b.WriteString("&sections=" + strings.Join(s.Sections, ","))
	}
	return b.String()
}

// degrees prints an angle so that it is read as the same.
func degrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }

// field brings in the field around the runtime, with what can be chosen of it.
func (c *composition) field() error {
	q := c.request
	c.around = Field{Origin: q.Params.Origin, RadiusMeters: q.Params.Radius}
	ctx := Context{ContextID: "ctx_field", Kind: "field", Label: "Around", Target: action.Target{Kind: "field"}}
	if !q.Params.wants("field") {
		return c.context(ctx)
	}
	for _, chooser := range q.Choosers() {
		control := FieldControl{FieldChooser: chooser.FieldChooser}
		for _, choice := range chooser.Choices {
			a := c.builder.FieldChoice(choice.Name, choice.Type, choice.Label, cmp.Or(q.URL, action.RuntimeURL)+choice.Query)
			control.Items = append(control.Items, FieldItem{choice.FieldChoice, a.ActionID})
			ctx.ActionIDs = append(ctx.ActionIDs, a.ActionID)
			if err := c.act(a); err != nil {
				return err
			}
		}
		c.around.Controls = append(c.around.Controls, control)
	}
	return c.context(ctx)
}
