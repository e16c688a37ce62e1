package dataset

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// Changed names the sections and services that have changed for a member,
// without their content.
type Changed struct {
	Sections svc.List[string] // sections of the dataset, in their order
	Services svc.List[string] // source_ids of the services whose panels or objects have changed
}

// None reports whether nothing has changed.
func (c Changed) None() bool { return len(c.Sections) == 0 && len(c.Services) == 0 }

// panelReaders are the readers of topics besides the parts: the places, the search,
// the section member, and the panels, which show more than the dataset.
var panelReaders = []topicReader{
	{mapsService, []store.Topic{svc.MapsTopic}, []string{"actions", "field"}},
	{findService, []store.Topic{svc.MapsTopic}, []string{"contexts", "actions"}},
	{findService, []store.Topic{svc.SearchesTopic, svc.SurfaceTopic}, nil},
	{"social", []store.Topic{svc.NotificationsTopic, svc.BlocksTopic}, nil},
	{identityService, []store.Topic{svc.PreferencesTopic}, []string{"member"}}, // the first day of the week
	{"time", []store.Topic{svc.BlocksTopic}, nil},                              // the members who share calendars
	{"messages", []store.Topic{svc.PresenceTopic}, nil},                        // of the participants
}

// topicReader is a part, a panel or a section that depends on topics.
type topicReader struct {
	service  string
	topics   []store.Topic
	sections []string
}

// topicReaders returns all topicReaders: the parts of the sources and panelReaders.
func topicReaders(sources []source) []topicReader {
	list := slices.Clone(panelReaders)
	for _, s := range sources {
		for _, p := range s.parts {
			list = append(list, topicReader{s.name, p.topics, p.sections})
		}
	}
	return list
}

// memberSections are the sections that a change of all topics changes.
var memberSections = append([]string{"member"}, optionalSections...)

// allServices returns the source_ids of all services, in the order of the section
// sources.
func (c *Composer) allServices() []string {
	list := []string{identityService}
	for _, s := range c.sources {
		if s.name != operatorService { // its data are not data of one member
			list = append(list, s.name)
		}
	}
	return append(list, mapsService, findService)
}

// Everything returns the names of all sections and services.
func (c *Composer) Everything() Changed { return Changed{memberSections, c.allServices()} }

// ChangedSince returns the sections and services that have changed for a member
// after the revision since.
func (c *Composer) ChangedSince(r store.Revisions, since int64) (changed Changed) {
	r.Since(since, func(topic store.Topic) {
		if topic == store.AllTopics {
			changed = c.Everything()
			return
		}
		for _, reader := range c.readers {
			if slices.Contains(reader.topics, topic) {
				changed = c.Union(changed, Changed{reader.sections, []string{reader.service}})
			}
		}
	})
	return changed
}

// changedBy returns the sections and services that change when data of the
// services expire.
func (c *Composer) changedBy(services []string) (changed Changed) {
	for _, reader := range c.readers {
		if slices.Contains(services, reader.service) {
			changed = c.Union(changed, Changed{reader.sections, []string{reader.service}})
		}
	}
	return changed
}

// Union returns the sections and services that are in a or b.
func (c *Composer) Union(a, b Changed) Changed {
	return Changed{inOrder(memberSections, a.Sections, b.Sections), inOrder(c.allServices(), a.Services, b.Services)}
}

// inOrder returns the names that are in a or b, in the order of all.
func inOrder(all, a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(a, name) && !slices.Contains(b, name) })
}
