// Package setup creates the first operator, in a browser through a one-time
// link or from the command line, and changes the list of operators.
//
// # Files
//
//   - setup.go: Setup, the first operator and the one-time link
//   - operators.go: promotion and demotion of operators
package setup

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// linkLifetime limits the validity of the link to the set-up page.
const linkLifetime = time.Hour

// Setup creates the first operator and changes the list of operators.
type Setup struct {
	settings *config.Settings
	log      *slog.Logger
	db       *store.DB
	identity *identity.Service

	operatorsMu sync.Mutex // held while the operators in the settings file and the database change

	mu       sync.Mutex
	codeHash string // hash of the code of the link; "" without a link
	expires  time.Time
}

// New returns a Setup without a link.
func New(settings *config.Settings, log *slog.Logger, db *store.DB, identity *identity.Service) *Setup {
	return &Setup{settings: settings, log: log, db: db, identity: identity}
}

// Needed reports whether the server has no operator. It may have members: with open
// registration a member can register before the first operator.
func (s *Setup) Needed(ctx context.Context) (bool, error) {
	var exists bool
	err := s.db.Read(ctx, func(tx *store.Tx) (err error) {
		exists, err = s.identity.HasOperator(tx)
		return err
	})
	return !exists, err
}

// NewCode returns the code of a new one-time link and invalidates the previous one.
// Only the hash of the code is kept, and only in memory.
func (s *Setup) NewCode() string {
	code := svc.NewSecret("")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codeHash, s.expires = hash(code), s.db.Now().Add(linkLifetime)
	return code
}

func hash(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// CheckCode returns an error unless the code is valid and the server has no operator.
func (s *Setup) CheckCode(ctx context.Context, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checkCode(ctx, code)
}

// checkNeeded returns an error if the server has an operator.
func (s *Setup) checkNeeded(ctx context.Context) error {
	needed, err := s.Needed(ctx)
	if err == nil && !needed {
		return svc.Errorf(svc.LinkExpired, "This server is set up already. Sign in instead.")
	}
	return err
}

// checkCode is [Setup.CheckCode] for callers that hold s.mu.
func (s *Setup) checkCode(ctx context.Context, code string) error {
	if err := s.checkNeeded(ctx); err != nil {
		return err
	}
	if s.codeHash == "" || !s.db.Now().Before(s.expires) || subtle.ConstantTimeCompare([]byte(s.codeHash), []byte(hash(code))) != 1 {
		return svc.Errorf(svc.LinkExpired, "This link was used or has expired. Start the server again for a new one, or run appliance setup.")
	}
	return nil
}

// Redeem creates the first operator, like [Setup.Create], for a client that sends
// the code of the link. If it succeeds, the code becomes invalid.
func (s *Setup) Redeem(ctx context.Context, code string, in identity.Registration, then func(*store.Tx, identity.Proof) error) error {
	s.mu.Lock() // of two concurrent requests with the code, the second fails
	defer s.mu.Unlock()
	if err := s.checkCode(ctx, code); err != nil {
		return err
	}
	if err := s.Create(ctx, in, then); err != nil {
		return err
	}
	s.codeHash = ""
	return nil
}

// Create creates the first operator and runs then in the same transaction. It adds
// the e-mail address to the settings file, unless the environment or a flag sets the
// operators.
func (s *Setup) Create(ctx context.Context, in identity.Registration, then func(*store.Tx, identity.Proof) error) error {
	if needed, err := s.Needed(ctx); err != nil {
		return err
	} else if !needed {
		return svc.Errorf(svc.AlreadyExists, "This server has an operator already. Add members with appliance admin members add, operators with promote.")
	}
	applicant, err := s.identity.Prepare(ctx, in)
	if err != nil {
		return err
	}
	if !s.settings.Identity().OperatorsFixed {
		// The file is changed before the member is created: without the entry, the
		// member would not be an operator after a restart.
		if err := config.AddOperator(s.settings.File(), in.Email); err != nil {
			return fmt.Errorf("writing the operator to %s: %w", s.settings.File(), err)
		}
	}
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		proof, err := s.identity.SetUp(tx, applicant)
		if err != nil {
			return err
		}
		return then(tx, proof)
	})
	if err != nil {
		return err
	}
	s.removeLinkFile()
	return nil
}

// removeLinkFile removes the file with the link to the set-up page, which does not work any
// more.
func (s *Setup) removeLinkFile() {
	if err := os.Remove(s.settings.SetupLink()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("the file with the set-up link was not removed", "err", err)
	}
}
