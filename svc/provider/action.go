package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"
)

// Order is an action that a member is about to perform.
type Order struct {
	Provider Provider
	Object   Object
	Action   contract.Action
	Command  contract.Command
}

// ActionRequest is a request to perform an action.
type ActionRequest struct {
	Reader    Reader
	Key       string  // of the action
	Input     svc.Map // values of its controls
	CommandID string
}

// Order validates a request to perform an action. It fails if the reader cannot see the
// object of the action, or the action is not enabled.
func (s *Service) Order(tx *store.Tx, r ActionRequest) (*Order, error) {
	object, err := s.objectOfAction(tx, r.Reader, r.Key)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(object.Actions, func(a Action) bool { return a.Key == r.Key })
	if i < 0 {
		return nil, fmt.Errorf("object %s of %s has no action with the key %s", object.Source.SourceID, object.Provider, r.Key)
	}
	p, err := s.Provider(tx, object.Provider)
	if err != nil {
		return nil, err
	}
	a := object.Actions[i].Action
	if err := CheckAvailable(a, p); err != nil {
		return nil, err
	}
	input, err := checkInput(a.Input, r.Input)
	if err != nil {
		return nil, err
	}
	return &Order{p, object, a, contract.Command{
		Contract: contract.CommandContract, CommandID: r.CommandID, IssuedAt: tx.Now().UTC().Format(time.RFC3339),
		Provider: p.ID, Operation: a.Operation.Operation, ActionID: a.ID, ActionType: a.Type, TargetSource: a.TargetSource,
		Member: contract.Member{Subject: Subject(tx.InstanceKey(), p.ID, r.Reader.Member)}, Input: input, Metadata: a.Operation.Metadata,
	}}, nil
}

// CheckAvailable returns an error unless an action can be performed.
func CheckAvailable(a contract.Action, p Provider) error {
	switch {
	case a.Availability == contract.Denied:
		return svc.Errorf(svc.ActionDenied, "%s does not permit this action.", p.Label)
	case a.Availability == contract.Disabled:
		return svc.Errorf(svc.ActionDisabled, "This action is switched off at the moment. It may be available later.")
	case a.Availability != contract.Enabled, a.Operation == nil || a.Operation.Operation == "", p.ActionURL == "":
		return svc.Errorf(svc.ActionUnavailable, "This action is not available.")
	}
	return nil
}

// Limits of the input of an action.
const (
	maxInputText = 8000 // characters
)

// checkInput returns the values of the controls. It ignores other values.
func checkInput(controls contract.Input, values svc.Map) (svc.Map, error) {
	input := make(svc.Map, len(controls))
	for _, c := range controls {
		value, given := values[c.ID]
		if !given || value == nil || value == "" {
			if c.Type == "hidden" && c.Default != nil {
				input[c.ID] = c.Default
			} else if c.Required {
				return nil, svc.FieldError(svc.FieldRequired, c.ID, "%s is required.", c.Label)
			}
			continue
		}
		if err := checkValue(c, value); err != nil {
			return nil, err
		}
		input[c.ID] = value
	}
	return input, nil
}

// checkValue validates the value of a control.
func checkValue(c contract.Control, value any) error {
	text := ""
	switch v := value.(type) {
	case string:
		text = v
	case bool:
		text = strconv.FormatBool(v)
	case json.Number:
		text = v.String()
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return svc.FieldError(svc.InvalidValue, c.ID, "%s must be a text, a number, true or false.", c.Label)
	}
	limit := maxInputText
	if c.MaxLength > 0 {
		limit = min(limit, c.MaxLength)
	}
	if utf8.RuneCountInString(text) > limit {
		e := svc.FieldError(svc.TooLong, c.ID, "%s can have at most %d characters.", c.Label, limit)
		e.Fields[0].Max = limit
		return e
	}
	if len(c.Options) > 0 && !slices.ContainsFunc(c.Options, func(o contract.Option) bool { return o.Value == text }) {
		return svc.FieldError(svc.InvalidValue, c.ID, "%s must be one of the options.", c.Label)
	}
	return nil
}

// Perform sends the command of an order to the provider and returns its validated
// result.
func (s *Service) Perform(ctx context.Context, o *Order) (*contract.Result, error) {
	return s.relay(ctx, o.Provider, &o.Command)
}

// Relay sends a command of World to its provider and returns the validated result.
func (s *Service) Relay(ctx context.Context, c *contract.Command) (*contract.Result, error) {
	var p Provider
	err := s.db.Read(ctx, func(tx *store.Tx) (err error) {
		p, err = s.Provider(tx, c.Provider)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.relay(ctx, p, c)
}

// relay sends a command. If the provider may have performed the action although it failed,
// its objects are acquired again soon.
func (s *Service) relay(ctx context.Context, p Provider, c *contract.Command) (*contract.Result, error) {
	data, err := s.transport.Perform(ctx, p.endpoint(), c)
	if err != nil {
		if !outbound.IsConnectFailure(err) {
			s.requested.Store(p.ID, nil)
		}
		return nil, err
	}
	result, err := contract.ParseResult(data, c)
	if err != nil {
		s.requested.Store(p.ID, nil)
		return nil, svc.Errorf(svc.ProviderResult, "The provider answered with an invalid result. It is unknown whether the action was performed.").WithCause(err)
	}
	return result, nil
}
