import type { Schemas } from '@parley/client'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AccessNames } from '../../parts/access-fields.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'

type Rule = Schemas['AccessRule']

interface RulesProps {
  value: Rule[]
  onChange: (rules: Rule[]) => void
  errorAt: (path: string) => string | undefined
  onValid: (isValid: boolean) => void
}

/** Rules that restrict documents of a source by path or metadata to groups and users. */
export function AccessRules({ value, onChange, errorAt, onValid }: RulesProps) {
  // A removed rule takes the text of its fields with it.
  const [removals, setRemovals] = useState(0)
  const change = (at: number, next: Partial<Rule>) =>
    onChange(value.map((rule, index) => (index === at ? withoutEmpty({ ...rule, ...next }) : rule)))
  return (
    <div className="stack">
      <p className="muted small">
        The first rule that matches a document decides who sees it. Without a match, everyone who sees the source does.
      </p>
      {value.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and removing one renews all
        <fieldset key={`${removals} ${at}`} className="rule stack" aria-label={`Rule ${at + 1}`}>
          <div className="row spread">
            <strong>Rule {at + 1}</strong>
            <IconButton
              icon={Trash2}
              label={`Remove rule ${at + 1}`}
              onClick={() => {
                setRemovals(removals + 1)
                onValid(true)
                onChange(value.filter((_, index) => index !== at))
              }}
            />
          </div>
          <div className="columns">
            <TextField
              label="Path"
              hint="* within a folder, ** across folders."
              placeholder="hr/**"
              value={rule.path ?? ''}
              error={errorAt(`access_rules[${at}].path`) ?? errorAt(`access_rules[${at}]`)}
              onChange={(path) => change(at, { path })}
            />
            <JsonField
              label="Metadata"
              hint={'Such as {"area": "hr"}. All fields must match.'}
              rows={3}
              value={rule.metadata}
              error={errorAt(`access_rules[${at}].metadata`)}
              onChange={(metadata) => change(at, { metadata: (metadata ?? {}) as NonNullable<Rule['metadata']> })}
              onValid={onValid}
            />
          </div>
          <AccessNames
            value={rule.access}
            onChange={(access) => change(at, { access })}
            errorAt={errorAt}
            field={`access_rules[${at}].access`}
          />
        </fieldset>
      ))}
      <div className="row">
        <Button small icon={Plus} onClick={() => onChange([...value, { access: { groups: [], users: [] } }])}>
          Add rule
        </Button>
      </div>
    </div>
  )
}

/** An empty condition is left out. */
function withoutEmpty({ path, metadata, access }: Rule): Rule {
  const hasMetadata = metadata !== undefined && Object.keys(metadata).length > 0
  return { ...(path && { path }), ...(hasMetadata && { metadata }), access }
}
