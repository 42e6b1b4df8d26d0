import { Plus, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useModels } from '../../api/lookups.ts'
import type { Fields } from '../../parts/form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Card } from '../../ui/page.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { Scorer } from './draft.ts'
import { initialConfigs, type Setting, scorerTypes, supports } from './scorer-types.ts'
import type { TargetType } from './target.tsx'

/** They always compare with the expected answer of a case. */
const comparing = new Set<Scorer['type']>(['similarity', 'exact_match', 'json_match', 'retrieval_hit'])

interface ScorersProps {
  form: Fields<Scorer[]>
  target: TargetType
  disabled: boolean
  /** Scores replies to people, which have no expected answer. */
  isLive?: boolean
}

/** The scorers of an evaluation. A case passes if every scorer passes. */
export function Scorers({ form, target, disabled, isLive = false }: ScorersProps) {
  const scorers = form.draft
  const add = (type: Scorer['type']) => form.set([...scorers, { type, config: initialConfigs[type] ?? {} }])
  const types = (Object.keys(scorerTypes) as Scorer['type'][]).filter(
    (type) => supports(type, target) && !(isLive && comparing.has(type)),
  )
  return (
    <Card
      title="Scorers"
      actions={
        !disabled && (
          <Menu
            trigger={
              <>
                <Plus aria-hidden size={14} />
                Add scorer
              </>
            }
            render={<Button small />}
          >
            {types.map((type) => (
              <MenuItem key={type} onClick={() => add(type)}>
                <span>
                  {scorerTypes[type].label}
                  <span className="field-note">{scorerTypes[type].hint}</span>
                </span>
              </MenuItem>
            ))}
          </Menu>
        )
      }
    >
      {!isLive && <p className="muted small">A case passes when every scorer passes.</p>}
      {scorers.map((_, index) => (
        <ScorerFields
          // biome-ignore lint/suspicious/noArrayIndexKey: scorers have no id
          key={index}
          form={form.part(index)}
          onRemove={
            scorers.length > 1 && !disabled ? () => form.set(scorers.filter((_, other) => other !== index)) : null
          }
        />
      ))}
    </Card>
  )
}

function ScorerFields({ form, onRemove }: { form: Fields<Scorer>; onRemove: (() => void) | null }) {
  const { label, hint, defaultThreshold, settings } = scorerTypes[form.draft.type]
  const problem = form.errorAt('type') ?? form.errorAt('config')
  const renderFields = (chosen: readonly Setting[]) =>
    chosen.map((setting) => <SettingField key={setting.name} setting={setting} form={form.part('config')} />)
  const checks = settings.filter(({ control }) => control === 'check')
  return (
    <fieldset className="scorer">
      <legend className="visually-hidden">{label}</legend>
      <div className="row spread nowrap">
        <div>
          <strong>{label}</strong>
          <span className="field-note">{hint}</span>
        </div>
        {onRemove && <IconButton icon={Trash2} label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />}
      </div>
      {problem && <p className="notice bad">{problem}</p>}
      <div className="columns">
        {renderFields(settings.filter(({ control }) => control !== 'check'))}
        <NumberField
          label="Pass threshold"
          hint={`A score from 0 to 1. Default: ${defaultThreshold}.`}
          min={0}
          max={1}
          step="any"
          {...form.field('threshold', null)}
        />
      </div>
      {checks.length > 0 && <div className="row checks">{renderFields(checks)}</div>}
    </fieldset>
  )
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

function SettingField({ setting, form }: { setting: Setting; form: Fields<Record<string, unknown>> }) {
  const { name, label, hint, control, defaultValue, required = false, options = [] } = setting
  const isText = control === 'text' || control === 'textarea'
  const { value, ...bound } = form.field(name, isText && required ? '' : undefined)
  const common = { label, hint, ...bound }
  switch (control) {
    case 'check':
      return (
        <CheckField
          label={label}
          value={(value ?? defaultValue) === true}
          onChange={(is) => form.change({ [name]: is })}
        />
      )
    case 'text':
      return <TextField {...common} required={required} value={asText(value)} />
    case 'textarea':
      return <TextArea {...common} required={required} value={asText(value)} />
    case 'number':
      return <NumberField {...common} step="any" min={0} value={asNumber(value) ?? asNumber(defaultValue)} />
    case 'tags':
      return <TagsField {...common} value={Array.isArray(value) ? value : []} />
    case 'choice':
      return <SelectField {...common} value={asText(value) || String(defaultValue ?? '')} options={options} />
    case 'model':
      return <JudgeField {...common} value={asText(value)} />
    case 'json':
      return <JsonField label={label} hint={hint} rows={3} {...form.json(name)} onChange={bound.onChange} />
  }
}

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** The judge model. The local model only quotes text, so it is not offered. */
function JudgeField(props: Omit<ComponentProps<typeof SelectField>, 'options'>) {
  const models = (useModels().data ?? []).filter(({ type, provider }) => type === 'chat' && provider !== 'local')
  return (
    <SelectField
      {...props}
      {...(models.length === 0 && { hint: 'Connect a provider model first. The local model cannot judge.' })}
      options={[{ value: '', label: 'Default model' }, ...toOptions(models)]}
    />
  )
}
