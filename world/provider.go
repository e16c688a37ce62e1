package world

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/feeds"
	"appliance/world/action"
	"appliance/world/dataset"
)

// Relay is an action of a provider: the command before, the result after it has been
// sent.
type Relay struct {
	order      *provider.Order
	result     *contract.Result // nil before the provider has answered
	reacquired bool             // the records of the provider have been acquired again
}

// Provider returns the id of the provider.
func (r *Relay) Provider() string { return r.order.Provider.ID }

// providerReader returns a member as the reader of objects of providers.
func (w *World) providerReader(tx *store.Tx, v svc.Viewer) (provider.Reader, error) {
	me, err := w.services.Identity.Me(tx, v)
	return provider.Reader{Member: me.Member.ID, Email: me.Member.Email, Operator: me.Member.IsOperator}, err
}

// providerObjects returns the objects of providers with these keys that v can see.
func (w *World) providerObjects(tx *store.Tx, v svc.Viewer, keys []string) ([]provider.Object, error) {
	reader, err := w.providerReader(tx, v)
	if err != nil {
		return nil, err
	}
	return w.services.Providers.ObjectsByKey(tx, reader, keys)
}

// relayAction returns the relay of the action. The error contains the reason if the
// action cannot be performed.
func (x *execution) relayAction(in *Dispatch) (*Relay, error) {
	if err := x.requireService("find"); err != nil {
		return nil, err
	}
	reader, err := x.providerReader(x.tx, x.viewer)
	if err != nil {
		return nil, err
	}
	order, err := x.services.Providers.Order(x.tx, provider.ActionRequest{
		Reader: reader, Key: x.resource, Input: in.values(), CommandID: commandID(x.tx.InstanceKey(), x.viewer, in),
	})
	if svc.KindOf(err) == svc.Missing {
		err = errNoAction
	}
	if err != nil {
		return nil, err
	}
	return &Relay{order: order}, nil
}

// relayedResponse returns the response to an action of a provider: the result
// of the relay or, without one, an error.
func (x *execution) relayedResponse(in Dispatch) (ActionResponse, error) {
	if in.Relay != nil && in.Relay.result != nil {
		return x.response(in), nil
	}
	_, err := x.relayAction(&in)
	if err == nil { // the action has become available since Prepare
		err = svc.Errorf(svc.ActionUnavailable, "This action was not available. Try again.")
	}
	return ActionResponse{}, err
}

// commandID returns the id of the command of a request. A request that is repeated with
// its idempotency key has the same id, so that the provider performs it once.
func commandID(key []byte, v svc.Viewer, in *Dispatch) string {
	if in.IdempotencyKey == "" {
		return svc.NewID("cmd")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("command\x00" + v.String() + "\x00" + in.ActionID + "\x00" + in.IdempotencyKey + "\x00"))
	mac.Write(in.Body) // a corrected request after a failure is another command
	return "cmd_" + hex.EncodeToString(mac.Sum(nil)[:16])
}

// PerformRelay sends the command of a relay to the provider and, if the result requests
// it, acquires the records of the provider again. It must be called outside of
// transactions. If only the acquisition fails, the response to the action does not
// contain the dataset.
func (w *World) PerformRelay(ctx context.Context, r *Relay) error {
	result, err := w.services.Providers.Perform(ctx, r.order)
	if err != nil {
		return err
	}
	r.result = result
	if result.Refresh.Requested {
		_, err := w.services.Providers.Acquire(ctx, r.order.Provider.ID, nil)
		r.reacquired = err == nil
	}
	return nil
}

// Status returns the HTTP status of the response to the action. r may be nil.
func (r *Relay) Status() int {
	switch {
	case r == nil || r.result == nil:
	case r.result.Status == contract.Rejected:
		return http.StatusUnprocessableEntity
	case r.result.Status == contract.Failed:
		return http.StatusFailedDependency
	}
	return http.StatusOK
}

// response returns the response with the result of the provider.
func (x *execution) response(in Dispatch) ActionResponse {
	r, l := in.Relay, x.viewer.Language()
	message := r.result.Message
	if feeds.IsAddress(r.order.Provider.SourceURL) {
		message = feeds.Texts{Language: l}.Message(message)
	}
	response := ActionResponse{actionResult: actionResult{
		Contract: responseContract, ActionID: in.ActionID, Type: r.order.Action.Type, Status: r.result.Status,
		Message: cmp.Or(message, l.Text(defaultMessages[r.result.Status])),
		Target:  action.Object(x.namer.ObjectID(action.SourceOfProvider(r.order.Command.TargetSource))),
		Refresh: Refresh{Requested: r.result.Refresh.Requested, Performed: r.reacquired},
	}}
	for _, state := range r.result.PersistentState {
		if state.Source != r.order.Command.TargetSource {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(state.Facts)) {
			response.Facts = append(response.Facts, Fact{name, state.Facts[name]})
		}
	}
	if status := r.Status(); status != http.StatusOK {
		code := svc.ActionUnavailable
		if status == http.StatusFailedDependency {
			code = svc.ProviderFailed
		}
		response.Error = &svc.ErrorDetail{
			Code: svc.CodeName(code.Name), Message: response.Message, Retryable: status == http.StatusFailedDependency, RequestID: in.RequestID,
		}
	}
	return response
}

// defaultMessages are the messages of results without a message in English, by status.
var defaultMessages = map[contract.ResultStatus]string{
	contract.Completed: "Done.",
	contract.Accepted:  "The provider will finish this later.",
	contract.Rejected:  "The provider refused this.",
	contract.Failed:    "The provider could not do this.",
}

var responseContract = dataset.Contract{Name: "service.world.action_response", Version: 1}
