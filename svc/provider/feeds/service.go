package feeds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"
)

// Config configures a [Service].
type Config struct {
	UserAgent string
	Public    outbound.Policy // for servers that feeds and redirects name
}

// Service is the provider. Each registered provider with addresses of [Addresses] has
// its own feeds.
type Service struct {
	db     *store.DB
	config Config
	public *outbound.Client

	parsing chan struct{} // a slot for one document, whose parts need much memory
	q       queries
}

// New returns the service.
func New(db *store.DB, c Config) *Service {
	s := &Service{db: db, config: c, public: outbound.New(c.Public, clientOptions(c.UserAgent)), parsing: make(chan struct{}, 1)}
	store.Bind("provider_feeds", &s.q)
	return s
}

// queries are the statements of sql/queries/provider_feeds.sql.
type queries struct {
	AddFeed               store.Query `sql:"add-feed"`
	Feeds                 store.Query `sql:"feeds"`
	SharedFeeds           store.Query `sql:"shared-feeds"`
	RemoveFeeds           store.Query `sql:"remove-feeds"`
	RemoveFeed            store.Query `sql:"remove-feed"`
	DeleteRemovedMarks    store.Query `sql:"delete-removed-marks"`
	DeleteRemovedArticles store.Query `sql:"delete-removed-articles"`
	DeleteRemovedFeeds    store.Query `sql:"delete-removed-feeds"`
	DeleteOldMarks        store.Query `sql:"delete-old-marks"`
	Claim                 store.Query `sql:"claim"`
	PutState              store.Query `sql:"put-state"`
	PutFeed               store.Query `sql:"put-feed"`
	PutArticles           store.Query `sql:"put-articles"`
	DeleteOldArticles     store.Query `sql:"delete-old-articles"`
	Articles              store.Query `sql:"articles"`
	RequestRefresh        store.Query `sql:"request-refresh"`
	HasArticle            store.Query `sql:"has-article"`
	AddMark               store.Query `sql:"add-mark"`
	RemoveMark            store.Query `sql:"remove-mark"`
	Marks                 store.Query `sql:"marks"`
	MarksOfSubjects       store.Query `sql:"marks-of-subjects"`
	RemoveMarks           store.Query `sql:"remove-marks"`
}

// host is the host of the addresses of this provider, which no server can have (RFC 6761
// §6.4).
const host = "feeds.invalid"

// Addresses returns the addresses of a provider whose requests RoundTrip answers.
func Addresses(provider string) (source, action string) {
	return "http://" + host + "/" + provider + "/source", "http://" + host + "/" + provider + "/action"
}

// IsAddress reports whether an address is one of [Addresses].
func IsAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host == host
}

// RoundTrip implements [http.RoundTripper].
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	provider, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	var answer any
	var err error
	switch {
	case r.Method == http.MethodPost && name == "source" && json.Valid(body):
		answer, err = s.source(r.Context(), provider)
	case r.Method == http.MethodPost && name == "action":
		answer, err = s.command(r.Context(), provider, body)
	default:
		return response(r, http.StatusNotFound, nil), nil
	}
	switch {
	case err == nil:
	case svc.KindOf(err) == svc.Missing:
		return response(r, http.StatusNotFound, nil), nil
	case errors.Is(err, errAllFail):
		return response(r, http.StatusServiceUnavailable, nil), nil
	default:
		if rejection, ok := errors.AsType[*contract.Rejection](err); ok {
			return response(r, http.StatusBadRequest, []byte(rejection.Error())), nil
		}
		return nil, err
	}
	text, err := svc.EncodeJSON(answer)
	return response(r, http.StatusOK, text), err
}

func response(r *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}

// errAllFail reports that no feed of a provider can be fetched.
var errAllFail = errors.New("no feed can be fetched")

// source fetches the feeds that are due and returns the payload.
func (s *Service) source(ctx context.Context, provider string) (*contract.Source, error) {
	if err := s.update(ctx, provider); err != nil {
		return nil, err
	}
	var c contents
	err := s.db.Read(ctx, func(tx *store.Tx) (err error) {
		c, err = s.contents(tx, provider)
		return err
	})
	if err != nil {
		return nil, err
	}
	failing := 0
	for _, f := range c.feeds {
		if f.Failure != "" {
			failing++
		}
	}
	if failing == len(c.feeds) && failing > 0 {
		return nil, errAllFail
	}
	return c.payload(provider)
}
