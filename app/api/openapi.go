package api

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"appliance/app/account"
	"appliance/app/httpd"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/jsonschema"
)

// openAPIURL is the path of the OpenAPI document.
const openAPIURL = "/world/openapi.json"

// getOpenAPI responds with the OpenAPI document of the routes of World.
func (s *Server) getOpenAPI(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	document, err := s.openAPI()
	if err != nil {
		return err
	}
	tag := fmt.Sprintf("%x", sha256.Sum256(document))[:32] // the document contains the version of the program
	h := w.Header()
	h.Set("ETag", `W/"`+tag+`"`)
	h.Set("Cache-Control", "public, max-age=3600")
	if namesETag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "application/json")
	_, _ = w.Write(document) // fails if the client has disconnected
	return nil
}

// jsonObject is a JSON object of the document.
type jsonObject = map[string]any

// schemaSet contains the schemas of a document.
type schemaSet struct {
	components jsonObject // by name
	requests   *jsonschema.Generator
	responses  *jsonschema.Generator
	err        error
}

// schemaPrefix begins the references to schemas.
const schemaPrefix = "#/components/schemas/"

// newSchemaSet returns a set without schemas. The types of contracts have the published
// schemas, the other ones those of their Go types.
func newSchemaSet() *schemaSet {
	s := &schemaSet{components: make(jsonObject)}
	contracts := make(map[reflect.Type]world.ContractType)
	for _, c := range compat.Contracts {
		contracts[c.Type] = c
	}
	s.requests = &jsonschema.Generator{
		Defs: s.components, Prefix: schemaPrefix, Input: true,
		Name: func(t reflect.Type) string { return "request." + t.Name() },
		Replace: func(t reflect.Type) (any, bool) {
			schema, ok := decodedTypes[t]
			return maps.Clone(schema), ok
		},
	}
	s.responses = &jsonschema.Generator{
		Defs: s.components, Prefix: schemaPrefix,
		Name: func(t reflect.Type) string { return "response." + t.Name() },
		Replace: func(t reflect.Type) (any, bool) {
			c, ok := contracts[t]
			if !ok {
				return nil, false
			}
			return s.contract(c), true
		},
	}
	return s
}

// decodedTypes contains the schemas of request types with a decoder of their own.
var decodedTypes = map[reflect.Type]jsonObject{
	typeOf[messages.Recipients](): {
		"type": []string{"string", "number", "array"}, "items": jsonObject{"type": []string{"string", "number", "null"}},
		"description": "Members, each by id, user name, e-mail address or display name.",
	},
	typeOf[social.Recipient](): {
		"type": []string{"string", "number"}, "description": "A member by id, user name, e-mail address or display name.",
	},
	typeOf[social.Location](): {
		"type": []string{"string", "object"}, "description": "A place, or its label.", "properties": jsonObject{
			"label": stringSchema, "latitude": jsonObject{"type": []string{"number", "null"}}, "longitude": jsonObject{"type": []string{"number", "null"}},
		},
	},
	typeOf[surface.Position](): {
		"type": "object", "description": "Values of placement metadata. Null deletes one; values that are not named stay.",
	},
	typeOf[world.ObjectIDs](): {
		"type": []string{"array", "string"}, "items": stringSchema, "description": "A list of world_object_ids, or a text with spaces between them.",
	},
}

// contract returns a reference to the schema of a contract, which it adds to the
// components.
func (s *schemaSet) contract(c world.ContractType) jsonObject {
	name := fmt.Sprintf("%s.%d", c.Name, c.Version)
	if s.components[name] == nil {
		text, _ := compat.Schema(c.Name, fmt.Sprint(c.Version))
		var schema jsonObject
		if err := json.Unmarshal(text, &schema); err != nil {
			s.err = fmt.Errorf("schema %s: %w", name, err)
			return nil
		}
		for _, key := range []string{"$schema", "$id", "examples"} {
			delete(schema, key)
		}
		moveReferences(schema, schemaPrefix+name)
		schema["externalDocs"] = jsonObject{"url": fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version), "description": "Schema with examples"}
		s.components[name] = schema
	}
	return jsonObject{"$ref": schemaPrefix + name}
}

// moveReferences changes the references of a schema to its own definitions so that they
// are valid in a document that contains the schema at base.
func moveReferences(v any, base string) {
	switch v := v.(type) {
	case jsonObject:
		if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, "#/") {
			v["$ref"] = base + ref[1:]
		}
		for _, child := range v {
			moveReferences(child, base)
		}
	case []any:
		for _, child := range v {
			moveReferences(child, base)
		}
	}
}

// newOpenAPI returns the OpenAPI document of the routes of World, except the HTML pages.
func (s *Server) newOpenAPI() ([]byte, error) {
	schemas := newSchemaSet()
	paths := make(jsonObject)
	add := func(rt route, o jsonObject) {
		method, path, _ := strings.Cut(rt.Pattern, " ")
		item, _ := paths[path].(jsonObject)
		if item == nil {
			item = make(jsonObject)
			paths[path] = item
		}
		item[strings.ToLower(method)] = o
	}
	for _, rt := range s.operationRoutes() {
		if isDescribed(rt) {
			add(rt, newOperation(rt, schemas))
		}
	}
	errorSchema := schemas.responses.Schema(reflect.TypeFor[svc.ErrorResponse]())
	if schemas.err != nil {
		return nil, schemas.err
	}
	server := s.Settings.URL().Path
	if server == "" {
		server = "/"
	}
	return svc.EncodeJSON(jsonObject{
		"openapi": "3.1.0",
		"info": jsonObject{
			"title": "World", "version": s.Version,
			"description": "The routes that runtimes use. Follow the URLs in the responses instead of building them. New fields can be added at any time. In a request, null is the same as an absent field, unless the schema of the field permits null.",
		},
		"servers": []any{jsonObject{"url": server}},
		"paths":   paths,
		"components": jsonObject{
			"schemas": schemas.components, "parameters": sharedParameters(),
			"responses": jsonObject{"Error": jsonObject{
				"description": "An error. With 429 and 503, the header Retry-After says when to try again.",
				"headers":     jsonObject{"Retry-After": jsonObject{"schema": jsonObject{"type": "integer"}, "description": "Seconds"}},
				"content":     jsonObject{"application/json": jsonObject{"schema": errorSchema}, "text/html": jsonObject{}}, // a page for browsers
			}},
			"securitySchemes": jsonObject{
				"token":  jsonObject{"type": "http", "scheme": "bearer", "description": "The access_token of POST /identity/login."},
				"cookie": jsonObject{"type": "apiKey", "in": "cookie", "name": account.CookieName, "description": "Set by the sign-in page."},
			},
		},
		"security": []any{jsonObject{"token": []any{}}, jsonObject{"cookie": []any{}}},
	})
}

// isDescribed reports whether a route is part of the document.
func isDescribed(rt route) bool {
	_, path, _ := strings.Cut(rt.Pattern, " ")
	return rt.summary != "" && strings.HasPrefix(path, "/world/") && !rt.NeedsServiceKey()
}

// newOperation returns the operation of a route.
func newOperation(rt route, schemas *schemaSet) jsonObject {
	method, path, _ := strings.Cut(rt.Pattern, " ")
	f := fieldsOfRequest(rt.input)
	o := jsonObject{
		"operationId": operationID(method, path), "summary": rt.summary, "tags": []string{strings.Split(path, "/")[2]},
		"responses": newResponses(rt, f, schemas),
	}
	if rt.sameAs != "" {
		o["description"] = "The same as " + rt.sameAs + "."
	}
	if list := newParameters(path, rt.description, f); len(list) > 0 {
		o["parameters"] = list
	}
	if rt.Access == httpd.Public {
		o["security"] = []any{}
	}
	switch {
	case len(rt.bodies) > 0:
		o["requestBody"] = jsonObject{"required": true, "content": untypedContent(rt.bodies)}
	case f.hasBody:
		schema := schemas.requests.Schema(rt.input)
		o["requestBody"] = jsonObject{"content": jsonObject{
			"application/json": jsonObject{"schema": schema}, "application/x-www-form-urlencoded": jsonObject{"schema": schema},
			"multipart/form-data": jsonObject{"schema": schema},
		}}
	}
	return o
}

// operationID returns the unique name of an operation.
func operationID(method, path string) string {
	path = strings.NewReplacer("{", "", "}", "", "-", "_", ".", "_", "/", "_").Replace(strings.TrimPrefix(path, "/world/"))
	return strings.ToLower(method) + "_" + path
}

// newResponses returns the responses of an operation.
func newResponses(rt route, f requestFields, schemas *schemaSet) jsonObject {
	responses := make(jsonObject)
	for _, status := range rt.errorStatuses(f) {
		responses[fmt.Sprint(status)] = jsonObject{"$ref": "#/components/responses/Error"}
	}
	if rt.etag {
		responses["304"] = jsonObject{"description": "The response with the ETag is current."}
	}
	if rt.status == noSuccess {
		return responses
	}
	success := jsonObject{"description": http.StatusText(rt.status)}
	switch {
	case rt.output != nil:
		success["content"] = jsonContent(schemas.response(rt.output))
	case len(rt.media) > 0:
		success["content"] = untypedContent(rt.media)
	}
	responses[fmt.Sprint(rt.status)] = success
	return responses
}

// response returns the schema of a response.
func (s *schemaSet) response(t reflect.Type) any {
	o, ok := reflect.Zero(t).Interface().(interface{ types() []reflect.Type })
	if !ok {
		return s.responses.Schema(t)
	}
	var list []any
	for _, t := range o.types() {
		list = append(list, s.responses.Schema(t))
	}
	return map[string]any{"anyOf": list}
}

// untypedContent returns the content of media types without a schema.
func untypedContent(types []string) jsonObject {
	content := make(jsonObject)
	for _, media := range types {
		content[media] = jsonObject{}
	}
	return content
}

func jsonContent(schema any) jsonObject {
	return jsonObject{"application/json": jsonObject{"schema": schema}}
}

// newParameters returns the parameters of an operation.
func newParameters(path string, d description, f requestFields) (list []any) {
	for _, segment := range strings.Split(path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			list = append(list, jsonObject{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": jsonObject{"type": "string"}})
		}
	}
	for _, p := range append(f.params, d.params...) {
		list = append(list, p.describe())
	}
	if d.once {
		list = append(list, sharedParameter(idempotencyHeader))
	}
	if d.write {
		list = append(list, sharedParameter("return"))
	}
	if d.etag {
		list = append(list, sharedParameter("If-None-Match"))
	}
	return list
}

// describe returns the parameter as OpenAPI describes it.
func (p parameter) describe() jsonObject {
	o := jsonObject{"name": p.name, "in": p.in, "schema": p.schema}
	if p.text != "" {
		o["description"] = p.text
	}
	if p.required {
		o["required"] = true
	}
	return o
}

func sharedParameter(name string) jsonObject {
	return jsonObject{"$ref": "#/components/parameters/" + name}
}

// sharedParameters are the parameters of many operations.
func sharedParameters() jsonObject {
	text := jsonObject{"type": "string"}
	return jsonObject{
		idempotencyHeader: parameter{idempotencyHeader, "header", jsonObject{"type": "string", "maxLength": 128}, "A repeated request with the same value gets the first response.", false}.describe(),
		"return":          parameter{"return", "query", jsonObject{"enum": []string{"dataset"}}, "The response also contains the new dataset. The parameters of the dataset apply.", false}.describe(),
		"If-None-Match":   parameter{"If-None-Match", "header", text, "The ETag of a response that the client has.", false}.describe(),
	}
}
