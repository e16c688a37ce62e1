package dataset

import (
	"cmp"

	"appliance/svc"
	"appliance/world/action"
)

// Writer encodes a composed dataset in the form of [Dataset]. Other
// representations use its methods to encode single sections. Sections that are
// not requested are empty.
type Writer struct{ c *composition }

// Capabilities returns the capabilities of the runtime.
func (w Writer) Capabilities() Capabilities { return w.c.request.Runtime.Capabilities() }

// Workspace returns the member's workspace.
func (w Writer) Workspace() Workspace {
	if !w.wants("workspace") {
		return Workspace{}
	}
	return w.c.next.layout.workspace.workspace
}

// Field returns the field.
func (w Writer) Field() Field { return w.c.field }

// Fallbacks returns the fallbacks.
func (w Writer) Fallbacks() svc.List[Fallback] { return w.c.fallbacks }

// EncodeContexts writes the section contexts.
func (w Writer) EncodeContexts(e *Encoder) {
	e.EncodedList("contexts", w.section("contexts", textsOfContexts(w.c.contexts)))
}

// EncodeActions writes the section actions.
func (w Writer) EncodeActions(e *Encoder) {
	e.List("actions")
	e.WriteEncoded(w.section("actions", textsOf(w.c.actions))...)
	e.WriteEncoded(w.section("actions", w.c.next.layout.objectActions)...)
	e.EndList()
}

// ObjectView is the input of the function that encodes the placement fields of an
// object: the values on which they can depend.
type ObjectView struct {
	WorldObjectID string
	ObjectType    string
	Area          Area // of the Placement
	Focused       bool
}

// EncodeObjects writes the section objects. Each object has the fields of the
// struct that place returns instead of those of [ObjectPlace].
func (w Writer) EncodeObjects(e *Encoder, place func(ObjectView) any) error {
	if !w.wants("objects") {
		e.EncodedList("objects", nil)
		return nil
	}
	c, encoded := w.c, make(map[any][]byte) // by the result of place: few results are distinct
	l := c.next.layout
	ends := suffixEncoder{slots: l.workspace.slots, present: l.present, place: func(o *object, s *slot) ([]byte, error) {
		view := ObjectView{WorldObjectID: o.id, ObjectType: o.objectType, Area: NoArea}
		if s != nil {
			view.Area, view.Focused = CarryArea, s.focused
		}
		fields := place(view)
		if text := encoded[fields]; text != nil {
			return text, nil
		}
		text, err := encodeFields(fields)
		if err != nil {
			return nil, err
		}
		encoded[fields] = text
		return text, nil
	}}
	objects, err := ends.objects(c.objects)
	if err != nil {
		return err
	}
	e.EncodedList("objects", objects)
	return nil
}

// Encode encodes the dataset in the form of [Dataset]. If the request names the revision
// of an earlier dataset that the cache knows, the sections objects, contexts, actions
// and findings contain only what has changed since then.
func (w Writer) Encode() (Body, error) {
	c, l := w.c, w.c.next.layout
	manifest, earlier := c.addManifest()
	e := Encoder{chunks: make(Chunks, 0, len(l.objects)+len(l.objectActions)+len(c.actions)+100)}
	e.Begin()
	e.Field("contract", cmp.Or(c.request.Contract, DatasetContract))
	e.Field("member", c.member)
	e.Field("capabilities", DatasetCapabilities{w.Capabilities(), ChangesOffer{
		Revision: manifest.revision, URL: action.RuntimeURL + c.request.Query() + "&since=" + manifest.revision,
	}})
	if w.wants("workspace") {
		e.EncodedField("workspace", l.workspace.encoded)
	} else {
		e.Field("workspace", Workspace{})
	}
	var changes *delta
	findings := w.section("findings", textsOf(c.findings))
	if earlier == nil {
		e.EncodedList("objects", w.section("objects", l.objects))
		w.EncodeContexts(&e)
		w.EncodeActions(&e)
	} else {
		changes = w.newDelta(earlier, manifest)
		e.EncodedList("objects", changes.objects)
		e.EncodedList("contexts", changes.contexts)
		e.EncodedList("actions", changes.actions)
		findings = changes.findings
	}
	e.Field("field", w.Field())
	e.EncodedList("findings", findings)
	e.Field("fallbacks", w.Fallbacks())
	e.Field("sources", svc.List[Provenance](c.sources))
	if changes != nil {
		e.Field("delta", changes.Delta)
	}
	e.End()
	e.Newline()
	return e.Chunks()
}

func (w Writer) wants(section string) bool { return w.c.request.Params.wants(section) }

// section returns the items of a section if it is requested.
func (w Writer) section(name string, items Chunks) Chunks {
	if !w.wants(name) {
		return nil
	}
	return items
}
