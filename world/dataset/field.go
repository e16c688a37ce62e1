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

// Chooser is a control of the field with the requests that its choices make.
type Chooser struct {
	FieldChooser
	Choices []Choice
}

// Choice is one item of a chooser.
type Choice struct {
	FieldChoice
	Name  string // unique name of the action in the field
	Type  string // of the action
	Query string // of the request that toggles the choice, with its question mark
}

// Choosers returns the controls of the field. Each choice contains a complete
// request, so that clients need not build addresses.
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

// metres formats a radius.
func metres(n int) string { return fmt.Sprintf("%d m", n) }

// Query returns the query of the request, with its question mark.
func (q Request) Query() string { return q.with(q.Params) }

// with returns the query of the request with other parameters.
func (q Request) with(s Params) string {
	if q.caps == "" {
		return s.query()
	}
	return s.query() + "&caps=" + url.QueryEscape(q.caps)
}

// query returns a query that [ParseParams] parses as s.
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

// degrees formats an angle without loss.
func degrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }

// addField adds the field with its controls, their actions and their context.
func (c *composition) addField() error {
	q := c.request
	c.field = Field{Origin: q.Params.Origin, RadiusMeters: q.Params.Radius}
	ctx := Context{ContextID: "ctx_field", Kind: "field", Label: "Around", Target: action.Target{Kind: "field"}}
	if !q.Params.wants("field") {
		return c.addContext(ctx)
	}
	for _, chooser := range q.Choosers() {
		control := FieldControl{FieldChooser: chooser.FieldChooser}
		for _, choice := range chooser.Choices {
			a := c.actionsOf.FieldChoice(choice.Name, choice.Type, choice.Label, cmp.Or(q.URL, action.RuntimeURL)+choice.Query)
			control.Items = append(control.Items, FieldItem{choice.FieldChoice, a.ActionID})
			ctx.ActionIDs = append(ctx.ActionIDs, a.ActionID)
			text, err := encode(a)
			if err != nil {
				return err
			}
			c.actions = append(c.actions, text)
		}
		c.field.Controls = append(c.field.Controls, control)
	}
	return c.addContext(ctx)
}
