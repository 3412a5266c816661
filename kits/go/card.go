package agent

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Card is what an agent says about itself.
type Card struct {
	Name        string
	Description string
	// Version of the agent, 1.0.0 when empty.
	Version string
	// Skills: one with the agent's name and description when empty.
	Skills []Skill
	// InputModes are the media types that the agent accepts, such as image/*. Text and JSON when empty.
	InputModes []string
	// OutputModes are the media types of the answers. Text when empty.
	OutputModes []string
	// URL at which clients reach the agent. When empty, the URL of the request for the card.
	URL string
}

// Skill is something that the agent can do.
type Skill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Examples    []string `json:"examples,omitempty"`
	InputModes  []string `json:"inputModes,omitempty"`
	OutputModes []string `json:"outputModes,omitempty"`
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// withDefaults fills what the author left out.
func (c Card) withDefaults() Card {
	c.Version = cmp.Or(c.Version, "1.0.0")
	if len(c.InputModes) == 0 {
		c.InputModes = []string{"text/plain", "application/json"}
	}
	if len(c.OutputModes) == 0 {
		c.OutputModes = []string{"text/plain"}
	}
	if len(c.Skills) == 0 {
		slug := cmp.Or(strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(c.Name), "-"), "-"), "answer")
		c.Skills = []Skill{{ID: slug, Name: c.Name, Description: c.Description, Tags: []string{"agent"}}}
	}
	return c
}

// modes returns the media types that the agent or one of its skills accepts.
func (c Card) modes() []string {
	modes := slices.Clone(c.InputModes)
	for _, skill := range c.Skills {
		modes = append(modes, skill.InputModes...)
	}
	return modes
}

// encode returns the card as clients of A2A 1.0 and of 0.3 read it.
func (c Card) encode(url string, hasToken bool) []byte {
	endpoint := func(version string) object {
		return object{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": version}
	}
	card := object{
		"name":                c.Name,
		"description":         c.Description,
		"version":             c.Version,
		"url":                 url,
		"protocolVersion":     "0.3.0",
		"preferredTransport":  "JSONRPC",
		"supportedInterfaces": []object{endpoint("1.0"), endpoint("0.3")},
		"capabilities":        object{"streaming": true},
		"defaultInputModes":   c.InputModes,
		"defaultOutputModes":  c.OutputModes,
		"skills":              c.Skills,
	}
	if hasToken { // One scheme in the terms of both versions.
		scheme := object{"type": "http", "scheme": "bearer", "httpAuthSecurityScheme": object{"scheme": "bearer"}}
		card["securitySchemes"] = object{"bearer": scheme}
		card["security"] = []object{{"bearer": []string{}}}
		card["securityRequirements"] = []object{{"schemes": object{"bearer": object{"list": []string{}}}}}
	}
	return encodeJSON(card)
}
