package feeds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/contract"
)

// Limits of a payload. With these, the objects of one provider leave room for others in
// the dataset of a member.
const (
	maxPublished = 500  // articles of all feeds
	maxMarks     = 2000 // of all members
)

// contents are the stored feeds of a provider.
type contents struct {
	feeds    []Feed
	articles map[int64][]storedArticle // by feed, newest first
	marks    []markRow
}

// storedArticle is an article with its id at the provider.
type storedArticle struct {
	Article
	id string
	at time.Time
}

// markRow is a row of provider_read_mark.
type markRow struct {
	Article string `db:"article_id"`
	Subject string `db:"subject"`
}

// contents returns the feeds of a provider. Each has the same share of the articles.
func (s *Service) contents(tx *store.Tx, provider string) (c contents, err error) {
	if c.feeds, err = s.Feeds(tx, provider); err != nil {
		return c, err
	}
	share := min(maxArticles, maxPublished/max(1, len(c.feeds)))
	var rows []articleRow
	if err := tx.Select(&rows, s.q.Articles, store.Args{"provider": provider, "limit": share}); err != nil {
		return c, err
	}
	c.articles = make(map[int64][]storedArticle)
	for _, r := range rows {
		a := storedArticle{id: r.ID, at: r.PublishedAt.Timestamp()}
		if err := json.Unmarshal([]byte(r.Content), &a.Article); err != nil {
			return c, err
		}
		c.articles[r.FeedID] = append(c.articles[r.FeedID], a)
	}
	return c, tx.Select(&c.marks, s.q.Marks, store.Args{"provider": provider, "limit": maxMarks})
}

// payload returns the payload. If it is too large, each feed has only its newest articles.
func (c contents) payload(provider string) (*contract.Source, error) {
	for limit := maxArticles; ; limit /= 2 {
		p := c.build(provider, limit)
		text, err := svc.EncodeJSON(p)
		if err != nil || len(text) <= contract.MaxSource || limit == 0 {
			return p, err
		}
	}
}

// build returns the payload with up to limit articles of each feed.
func (c contents) build(provider string, limit int) *contract.Source {
	b := builder{provider: provider, source: &contract.Source{
		Contract: contract.SourceContract, Provider: contract.Provider{ID: provider, Label: "Feeds"},
		Objects: section[contract.Object]("objects"), Relationships: section[contract.Relationship]("relationships"),
		Actions: section[contract.Action]("actions"), Collections: section[contract.Collection]("collections"),
		Resources: section[contract.Resource]("resources"), Extensions: section[contract.Extension]("extensions"),
	}}
	published := make(map[string]storedArticle)
	for _, f := range c.feeds {
		b.visibility = contract.Visibility{Group: contract.AllMembers}
		if f.Subject != "" {
			b.visibility = contract.Visibility{Members: svc.List[string]{f.Subject}}
		}
		articles := c.articles[f.id]
		articles = articles[:min(len(articles), limit)]
		b.addFeed(f, articles)
		for _, a := range articles {
			published[a.id] = a
		}
	}
	for _, m := range c.marks {
		if a, ok := published[m.Article]; ok {
			b.addMark(m.Subject, a)
		}
	}
	return b.source
}

func section[T any](name string) contract.Section[T] {
	return contract.Section[T]{Name: name, Version: 1}
}

// builder builds a payload.
type builder struct {
	provider   string
	source     *contract.Source
	visibility contract.Visibility // of the objects of the current feed
}

// FeedType is the type of feeds.
const FeedType = "feed"

// Types of other objects.
const (
	articleType = "article"
	markType    = "read_mark"
)

func (b *builder) ref(kind, id string) contract.Ref {
	return contract.Ref{Provider: b.provider, SourceType: kind, SourceID: id}
}

// object returns an object of the current feed.
func (b *builder) object(kind, id, title, summary string) contract.Object {
	return contract.Object{
		Source: b.ref(kind, id), Type: kind, Title: title, Summary: summary, Visibility: b.visibility,
		Permissions: svc.Dict[bool]{"can_view": true}, Metadata: svc.Map{},
	}
}

// addAction adds an action to an object. metadata is part of its command.
func (b *builder) addAction(o *contract.Object, operation string, metadata svc.Map) {
	id := operation + "-" + o.Source.SourceID
	o.Actions = append(o.Actions, id)
	b.source.Actions.Items = append(b.source.Actions.Items, contract.Action{
		ID: id, Type: operation, Label: actionLabels[operation], TargetSource: o.Source, Availability: contract.Enabled,
		Operation: &contract.Operation{Provider: b.provider, Operation: operation, Metadata: metadata},
	})
}

// addResource adds a resource to an object.
func (b *builder) addResource(o *contract.Object, kind, mediaType, href, label string) {
	id := hash(o.Source.SourceID, kind, href)
	if href == "" || slices.Contains(o.Resources, id) {
		return
	}
	o.Resources = append(o.Resources, id)
	b.source.Resources.Items = append(b.source.Resources.Items, contract.Resource{ID: id, Kind: kind, MediaType: mediaType, Href: href, Label: label, Metadata: svc.Map{}})
}

func (b *builder) relate(kind string, from, to contract.Ref) {
	b.source.Relationships.Items = append(b.source.Relationships.Items, contract.Relationship{ID: kind + "-" + from.SourceID, Type: kind, Source: from, Target: to})
}

func (b *builder) addObject(o contract.Object) {
	b.source.Objects.Items = append(b.source.Objects.Items, o)
}

// addFeed adds a feed with its collection and its articles.
func (b *builder) addFeed(f Feed, articles []storedArticle) {
	id := hash(f.URL)
	text := f.Description
	if f.Failure != "" {
		text = fmt.Sprintf(failureFormat, f.FailedAt.UTC().Format(failureDay), f.Failure)
	}
	o := b.object(FeedType, id, f.Title, text)
	b.addAction(&o, refreshOperation, svc.Map{"feed": f.id})
	if f.Subject != "" {
		b.addAction(&o, removeOperation, svc.Map{"feed": f.id})
	}
	b.addResource(&o, "document", webPage, f.Home, resourceLabels[0])
	b.addObject(o)
	collection := contract.Collection{
		ID: id, Type: "articles", Title: f.Title, Summary: text, Ordering: contract.Ordering{By: "published_at", Direction: "desc"},
		Pagination: contract.Pagination{Mode: "none", Total: len(articles)}, Metadata: svc.Map{},
	}
	for _, a := range articles {
		ref := b.addArticle(a)
		b.relate("part_of", ref, o.Source)
		collection.Items = append(collection.Items, ref)
	}
	b.source.Collections.Items = append(b.source.Collections.Items, collection)
}

// addArticle adds an article. Author and categories are texts of several words, because
// the contract reads a single word in metadata as a name, which must not be "react".
func (b *builder) addArticle(a storedArticle) contract.Ref {
	o := b.object(articleType, a.id, a.Title, a.Summary)
	o.Metadata["published_at"] = a.at.UTC().Format(time.RFC3339)
	if a.Author != "" {
		o.Metadata["author"] = fmt.Sprintf(authorFormat, a.Author)
	}
	if a.Categories != "" {
		o.Metadata["categories"] = fmt.Sprintf(categoryFormat, a.Categories)
	}
	b.addAction(&o, readOperation, nil)
	b.addResource(&o, "document", webPage, a.Link, resourceLabels[1])
	b.addResource(&o, "thumbnail", pictureType(a.Picture), a.Picture, resourceLabels[2])
	for i, f := range a.Files {
		b.addResource(&o, kindOf(f.MediaType), f.MediaType, f.URL, fmt.Sprintf("File %d", i+1))
	}
	b.addObject(o)
	return o.Source
}

// addMark adds the mark of an article that a member has read. Only that member can see it.
func (b *builder) addMark(subject string, a storedArticle) {
	o := b.object(markType, hash(subject, a.id), cmp.Or(shorten(fmt.Sprintf(markFormat, a.Title), svc.MaxTitle), "Read"), "")
	o.Visibility = contract.Visibility{Members: svc.List[string]{subject}}
	b.addAction(&o, unreadOperation, svc.Map{"article": a.id})
	b.addObject(o)
	b.relate("marks", o.Source, b.ref(articleType, a.id))
}
