package dataset

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/social"
	"appliance/world/action"
)

// part is one part of a dataset. Its result is valid as long as its topics have the
// same revision for the member, the results of its inputs are the same, and it has
// not expired.
type part struct {
	topics   []store.Topic
	sections []string // sections of the dataset that a change of the part can change

	// update sets the result in the next snapshot: the previous one if it is valid,
	// otherwise a new one.
	update func(c *composition, bypassCache bool) (*result, error)
}

// The sections that a change of a part can change. An object can be in the workspace,
// and every part has actions and items of a context.
var (
	actionSections    = []string{"contexts", "actions"}
	objectSections    = []string{"workspace", "objects", "contexts", "actions"}
	workspaceSections = []string{"workspace", "objects", "contexts", "actions", "findings"}
)

// results are the results of all parts. A result is nil if its service is off or has
// failed. Two values are equal if they share all results.
type results struct {
	account       *actionsResult
	time          *result
	messages      *result
	communities   *result
	profiles      *result
	dms           *result
	events        *result
	conversations *result
	general       *actionsResult
	invitations   *itemsResult
	moderation    *itemsResult
	socialContext *result
	providers     *providersResult
	workspace     *workspaceResult
	operator      *result
}

// resultOf is implemented by pointers to the result of a part: to a [result], or to a
// struct that embeds one.
type resultOf[R any] interface {
	*R
	common() *result
	measure() // sets the size
}

// newPart returns a part without inputs. field returns the field of its result.
func newPart[R any, P resultOf[R]](sections []string, field func(*results) *P, build func(*builder) (R, error), topics ...store.Topic) part {
	noInputs := func(*results) struct{} { return struct{}{} }
	return newDependentPart(sections, field, noInputs, func(b *builder, _ struct{}) (R, error) { return build(b) }, topics...)
}

// newDependentPart returns a part with inputs: results of earlier parts of the same
// service. Two values of I are equal if they contain the same results.
func newDependentPart[R any, P resultOf[R], I comparable](
	sections []string, field func(*results) *P, inputs func(*results) I, build func(*builder, I) (R, error), topics ...store.Topic,
) part {
	return part{topics, sections, func(c *composition, bypassCache bool) (*result, error) {
		cached, next := *field(&c.previous.results), field(&c.next.results)
		in, revision := inputs(&c.next.results), c.revisions.Of(topics...)
		previous := &noResult
		if cached != nil && !bypassCache {
			previous = cached.common()
			if previous.revision == revision && !previous.expired(c.tx.Now()) && in == inputs(&c.previous.results) {
				*next = cached
				return previous, nil
			}
		}
		if err := svc.WorkOf(c.tx.Context()).Wait(previous.size / octetsPerStep); err != nil {
			return nil, err
		}
		r, err := build(&builder{&c.environment, previous}, in)
		if err != nil {
			return nil, err
		}
		*next = &r
		(*next).common().revision = revision
		(*next).measure()
		return (*next).common(), nil
	}}
}

// octetsPerStep is the number of octets of a part that are composed in one step (see
// [svc.Work]). Most of them are copied from texts of the previous result.
const octetsPerStep = 10

// builder contains the data from which a part builds its result, except for its
// inputs.
type builder struct {
	*environment
	previous *result // the previous result of the part; may be empty
}

// environment contains the values that all parts of one composition share.
type environment struct {
	tx            *store.Tx
	viewer        svc.Viewer
	location      *time.Location  // the member's time zone
	reader        provider.Reader // the member as a reader of the objects of providers
	revisions     store.Revisions
	actionBuilder action.Builder
	services      Services
	social        *social.DatasetReader
}
