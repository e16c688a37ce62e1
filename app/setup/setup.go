// Package setup creates the first operator, in a browser through a one-time
// link or from the command line, and promotes and demotes operators.
//
// # Files
//
//   - setup.go: Setup and the first operator
//   - link.go: the one-time link to the set-up page
//   - operators.go: promotion and demotion of operators
package setup

import (
	"context"
	"log/slog"
	"sync"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// Setup creates the first operator, and promotes and demotes operators.
type Setup struct {
	settings *config.Settings
	log      *slog.Logger
	db       *store.DB
	identity *identity.Service

	redeemMu sync.Mutex // held while a code is checked and used
}

// New returns a Setup.
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

// checkNeeded returns an error if the server has an operator.
func (s *Setup) checkNeeded(ctx context.Context) error {
	needed, err := s.Needed(ctx)
	if err == nil && !needed {
		return svc.Errorf(svc.LinkExpired, "This server is set up already. Sign in instead.")
	}
	return err
}

// CheckNoOperator returns an error that names the commands for further members if the server has
// an operator.
func (s *Setup) CheckNoOperator(ctx context.Context) error {
	needed, err := s.Needed(ctx)
	if err == nil && !needed {
		return svc.Errorf(svc.AlreadyExists, "This server is set up already: it has an operator. Make another member an operator with appliance admin members promote, add a member with add, and reset a password with reset-password.")
	}
	return err
}

// Redeem creates the first operator, like [Setup.Create], for a client that sends
// the code of the link. If it succeeds, the code becomes invalid.
func (s *Setup) Redeem(ctx context.Context, code string, in identity.Registration, then func(*store.Tx, identity.Proof) error) error {
	s.redeemMu.Lock() // of two concurrent requests with the code, the second fails
	defer s.redeemMu.Unlock()
	if err := s.CheckCode(ctx, code); err != nil {
		return err
	}
	return s.Create(ctx, in, then)
}

// RedeemAsMember makes a member the first operator, for a client that sends the code of the link,
// and runs then in the same transaction. prove verifies the password of the member. On success,
// the code becomes invalid.
func (s *Setup) RedeemAsMember(ctx context.Context, code string, prove func() (identity.Proof, error), then func(*store.Tx, identity.Proof) error) error {
	s.redeemMu.Lock()
	defer s.redeemMu.Unlock()
	if err := s.CheckCode(ctx, code); err != nil {
		return err
	}
	proof, err := prove()
	if err != nil {
		return err
	}
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		if proof, err = s.identity.SetUpMember(tx, proof); err != nil {
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

// Create creates the first operator and runs then in the same transaction.
func (s *Setup) Create(ctx context.Context, in identity.Registration, then func(*store.Tx, identity.Proof) error) error {
	if err := s.CheckNoOperator(ctx); err != nil {
		return err
	}
	applicant, err := s.identity.Prepare(ctx, in)
	if err != nil {
		return err
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
