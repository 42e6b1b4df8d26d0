import { Plus, Trash2 } from 'lucide-react'
import { useModels } from '../../api/lookups.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { optionsOf } from '../../ui/distinct.ts'
import { CheckField, NumberField, SelectField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Card } from '../../ui/page.tsx'
import type { Scorer } from './draft.ts'
import { initialConfigs, type Setting, scorerTypes, supports } from './scorer-types.ts'
import type { TargetType } from './target.tsx'

type Wrong = (path: string) => string | undefined

interface ScorersProps {
  scorers: readonly Scorer[]
  target: TargetType
  onChange: (scorers: Scorer[]) => void
  errorAt: Wrong
  disabled: boolean
}

/** The scorers of an evaluation. A case passes if every scorer passes. */
export function Scorers({ scorers, target, onChange, errorAt, disabled }: ScorersProps) {
  const add = (type: Scorer['type']) => onChange([...scorers, { type, config: initialConfigs[type] ?? {} }])
  const types = (Object.keys(scorerTypes) as Scorer['type'][]).filter((type) => supports(type, target))
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
      <p className="muted small">A case passes when every scorer passes.</p>
      {scorers.map((scorer, index) => (
        <ScorerFields
          // biome-ignore lint/suspicious/noArrayIndexKey: scorers have no id
          key={index}
          scorer={scorer}
          disabled={disabled}
          errorAt={(path) => errorAt(`scorers[${index}].${path}`)}
          onChange={(next) => onChange(scorers.map((each, other) => (other === index ? next : each)))}
          {...(scorers.length > 1 && { onRemove: () => onChange(scorers.filter((_, other) => other !== index)) })}
        />
      ))}
    </Card>
  )
}

interface ScorerFieldsProps {
  scorer: Scorer
  disabled: boolean
  errorAt: Wrong
  onChange: (scorer: Scorer) => void
  onRemove?: () => void
}

function ScorerFields({ scorer, disabled, errorAt, onChange, onRemove }: ScorerFieldsProps) {
  const { label, hint, defaultThreshold, settings } = scorerTypes[scorer.type]
  const config: Record<string, unknown> = scorer.config ?? {}
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = config
    onChange({ ...scorer, config: value === undefined ? others : { ...others, [name]: value } })
  }
  const checks = settings.filter(({ control }) => control === 'check')
  const field = (setting: Setting) => (
    <SettingField
      key={setting.name}
      setting={setting}
      value={config[setting.name]}
      error={errorAt(`config.${setting.name}`)}
      onChange={(value) => set(setting.name, value)}
    />
  )
  return (
    <fieldset className="scorer" disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      <div className="row spread nowrap">
        <div>
          <strong>{label}</strong>
          <span className="field-note">{hint}</span>
        </div>
        {onRemove && !disabled && (
          <IconButton icon={Trash2} label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
        )}
      </div>
      {(errorAt('type') ?? errorAt('config')) && <p className="notice bad">{errorAt('type') ?? errorAt('config')}</p>}
      <div className="columns">
        {settings.filter(({ control }) => control !== 'check').map(field)}
        <NumberField
          label="Pass threshold"
          hint={`A score from 0 to 1. Default: ${defaultThreshold}.`}
          min={0}
          max={1}
          step="any"
          value={scorer.threshold ?? null}
          error={errorAt('threshold')}
          onChange={(threshold) => onChange({ ...scorer, threshold })}
        />
      </div>
      {checks.length > 0 && <div className="row checks">{checks.map(field)}</div>}
    </fieldset>
  )
}

interface SettingProps {
  setting: Setting
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function SettingField({ setting, value, error, onChange }: SettingProps) {
  const { label, hint, control, defaultValue, required = false, options = [] } = setting
  const common = { label, error, ...(hint && { hint }) }
  switch (control) {
    case 'check':
      return <CheckField label={label} checked={(value ?? defaultValue) === true} onChange={onChange} />
    case 'text':
    case 'textarea': {
      const Control = control === 'text' ? TextField : TextArea
      return (
        <Control
          {...common}
          required={required}
          value={textOf(value)}
          onChange={(text) => onChange(text === '' && !required ? undefined : text)}
        />
      )
    }
    case 'number':
      return (
        <NumberField
          {...common}
          step="any"
          min={0}
          value={typeof value === 'number' ? value : typeof defaultValue === 'number' ? defaultValue : null}
          onChange={(number) => onChange(number ?? undefined)}
        />
      )
    case 'tags':
      return (
        <TagsField
          label={label}
          error={error}
          {...(hint && { hint })}
          value={Array.isArray(value) ? (value as string[]) : []}
          onChange={(words) => onChange(words.length === 0 ? undefined : words)}
        />
      )
    case 'choice':
      return (
        <SelectField
          {...common}
          value={textOf(value) || String(defaultValue ?? '')}
          onChange={onChange}
          options={options}
        />
      )
    case 'model':
      return <JudgeField {...common} value={textOf(value)} onChange={(id) => onChange(id || undefined)} />
    case 'json':
      return <JsonField {...common} rows={3} value={value} onChange={(given) => onChange(given ?? undefined)} />
  }
}

interface JudgeProps {
  label: string
  error: string | undefined
  value: string
  onChange: (id: string) => void
}

/** The judge model. The local model only quotes text, so it is not offered. */
function JudgeField(props: JudgeProps) {
  const models = (useModels().data ?? []).filter(({ type, provider }) => type === 'chat' && provider !== 'local')
  return (
    <SelectField
      {...props}
      {...(models.length === 0 && { hint: 'Connect a provider model first. The local model cannot judge.' })}
      options={[{ value: '', label: 'Default model' }, ...optionsOf(models)]}
    />
  )
}
