package davserver

import (
	"log/slog"
	"net/http"
	"net/netip"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"appliance/app/authlog"
	"appliance/app/config"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/index"
	"appliance/svc/identity"
)

// Server serves the calendars of members by CalDAV.
type Server struct {
	settings    *config.Settings
	log         *slog.Logger
	db          *store.DB
	identity    *identity.Service
	calendar    *calendar.Service
	timeIndex   *index.Index
	collections *collection.Service
	sweep       func() // requests a sweep of purged calendar data
	guard       *limits.Guard
	signIns     *authlog.Log
	proxies     limits.Proxies

	verifications verifications

	plaintextWarning limits.Daily // limits how often passwords without HTTPS are logged
}

// Services are the services that the protocol uses.
type Services struct {
	Identity    *identity.Service
	Calendar    *calendar.Service
	TimeIndex   *index.Index
	Collections *collection.Service

	SweepCalendars func() // requests a sweep of purged calendar data
}

// New returns a Server. guard limits attempts with wrong credentials; signIns logs
// attempts to sign in.
func New(settings *config.Settings, log *slog.Logger, db *store.DB, services Services, guard *limits.Guard, signIns *authlog.Log) *Server {
	return &Server{
		settings: settings, log: log, db: db, identity: services.Identity, calendar: services.Calendar, timeIndex: services.TimeIndex,
		collections: services.Collections, sweep: services.SweepCalendars, guard: guard, signIns: signIns, proxies: settings.Proxies(),
	}
}

// Authenticate checks the credentials of a request. Only HTTP Basic (RFC 7617) is
// accepted: a session cookie would let other web sites send requests for the
// member.
func (s *Server) Authenticate(r *http.Request) (a identity.DAVAuthentication, err error) {
	login, password, ok := r.BasicAuth()
	if !ok || login == "" {
		return a, svc.Errorf(svc.Unauthenticated, "Sign in with your user name and password.")
	}
	if err := s.checkPlaintext(r); err != nil {
		return a, err
	}
	return s.CheckCredentials(r, decodeCredential(login), decodeCredential(password))
}

// decodeCredential returns a user name or password of HTTP Basic as UTF-8. A text
// that is not UTF-8 is read as Windows-1252, which contains ISO 8859-1: some
// clients use it although the server asks for UTF-8 (RFC 7617 §2.1).
func decodeCredential(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	decoded, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return text
	}
	return decoded
}

// CheckCredentials checks an account or device password. A wrong password counts as
// a failed attempt of the client that sent r.
func (s *Server) CheckCredentials(r *http.Request, login, password string) (a identity.DAVAuthentication, err error) {
	errCredentials := svc.Errorf(svc.InvalidCredentials, "The user name or the password is wrong.")
	if len(login) > identity.MaxLogin {
		return a, errCredentials
	}
	var c identity.DAVCandidate
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.DAVCandidate(tx, login, password)
		return err
	})
	if err != nil {
		return a, err
	}
	verify := func() (err error) {
		if a, err = s.identity.VerifyDAV(r.Context(), c); err == nil && !a.Valid {
			err = errCredentials
		}
		return err
	}
	if c.IsProven() {
		err = verify()
	} else {
		key := verificationKey{c.Key(), c.Account().State, limits.Prefix(s.proxies.ClientAddr(r))}
		a, err = s.verifications.do(r.Context(), key, func() (identity.DAVAuthentication, error) {
			err := s.guard.Try(r, c.Account(), password, errCredentials, func() error { return s.guard.Hash(r, verify) })
			s.signIns.Record(r, c.Method(), c.Account().Member, err)
			return a, err
		})
	}
	if c.IsProven() && !c.IsCached() {
		s.signIns.Record(r, c.Method(), c.Account().Member, err)
	}
	if err == nil && a.UseDue {
		err = s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RecordDAVUse(tx, a) })
		if store.IsFull(err) { // clients can still read when the disk is full
			err = nil
		}
	}
	return a, err
}

// Guard returns r with a write guard: a write in r fails if the credentials
// have been revoked after they were checked. The request body may arrive long
// after that check.
func (s *Server) Guard(r *http.Request, a identity.DAVAuthentication) *http.Request {
	return r.WithContext(store.WithWriteGuard(r.Context(), func(tx *store.Tx) error { return s.identity.RevalidateDAV(tx, a) }))
}

// checkPlaintext rejects a password that was sent without HTTPS, unless the
// setting dav-plaintext accepts it. On a private network it logs a warning once
// a day.
func (s *Server) checkPlaintext(r *http.Request) error {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	peer := from.Addr().Unmap()
	if err != nil || r.TLS != nil || peer.IsLoopback() || s.proxies.Contains(peer) || s.settings.DAVPlaintext == "always" {
		return nil
	}
	if s.settings.DAVPlaintext == "private" && isPrivate(peer) {
		if s.plaintextWarning.Allow(s.db.Now()) {
			s.log.Warn("a calendar program sent a password without HTTPS, on a private network")
		}
		return nil
	}
	return svc.Errorf(svc.PermissionDenied, "This server does not accept passwords without HTTPS. Connect by HTTPS; see %s.", s.settings.Link("/help/https"))
}

// carrierGradeNAT is the address space that the customers of a provider share
// (RFC 6598).
var carrierGradeNAT = netip.MustParsePrefix("100.64.0.0/10")

func isPrivate(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLinkLocalUnicast() || carrierGradeNAT.Contains(a)
}
