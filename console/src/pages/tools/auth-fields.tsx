import type { Schemas } from '@parley/client'
import { SelectField, TextField } from '../../ui/field.tsx'

export type Auth = NonNullable<Schemas['NewApiTool']['auth']>

const types = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api_key', label: 'API key' },
  { value: 'basic', label: 'Basic auth' },
  { value: 'oauth2_client_credentials', label: 'OAuth2 client credentials' },
]

const secrets = {
  none: null,
  bearer: { part: 'token', isSet: 'token_set', label: 'Token' },
  api_key: { part: 'value', isSet: 'value_set', label: 'Key' },
  basic: { part: 'password', isSet: 'password_set', label: 'Password' },
  oauth2_client_credentials: { part: 'client_secret', isSet: 'client_secret_set', label: 'Client secret' },
} as const

interface AuthProps {
  value: Auth
  /** The saved authentication. It says whether a secret is set, never its value. */
  saved?: Auth
  onChange: (value: Auth) => void
  errorAt: (path: string) => string | undefined
}

/** The authentication of a tool. Secrets are write-only. */
export function AuthFields({ value, saved, onChange, errorAt }: AuthProps) {
  const secret = secrets[value.type]
  const isSaved = secret !== null && saved?.type === value.type && saved[secret.isSet] === true
  const text = (part: 'name' | 'username' | 'token_url' | 'client_id' | 'scope', label: string, hint?: string) => (
    <TextField
      label={label}
      {...(hint && { hint })}
      value={value[part] ?? ''}
      error={errorAt(`auth.${part}`)}
      onChange={(given) => onChange(changed(value, part, given))}
    />
  )
  return (
    <>
      <SelectField
        label="Authentication"
        value={value.type}
        error={errorAt('auth')}
        onChange={(type) => onChange({ type: type as Auth['type'] })}
        options={types}
      />
      {value.type === 'api_key' && (
        <div className="columns">
          <SelectField
            label="Send in"
            value={value.in ?? 'header'}
            onChange={(where) => onChange({ ...value, in: where as 'header' | 'query' })}
            options={[
              { value: 'header', label: 'Header' },
              { value: 'query', label: 'Query' },
            ]}
          />
          {text('name', 'Parameter name', 'Default: X-API-Key.')}
        </div>
      )}
      {value.type === 'basic' && text('username', 'Username')}
      {value.type === 'oauth2_client_credentials' && (
        <>
          {text('token_url', 'Token URL')}
          <div className="columns">
            {text('client_id', 'Client ID')}
            {text('scope', 'Scope', 'Separated by spaces.')}
          </div>
        </>
      )}
      {secret && (
        <TextField
          label={secret.label}
          hint="Stored encrypted and never shown again. Enter it again if you change the URL."
          type="password"
          autoComplete="off"
          value={value[secret.part] ?? ''}
          placeholder={isSaved ? 'Unchanged' : ''}
          error={errorAt(`auth.${secret.part}`)}
          onChange={(given) => onChange(changed(value, secret.part, given))}
        />
      )}
      {value.additional?.map((each, index) => (
        <AuthFields
          key={`${each.type} ${each.name ?? ''}`}
          value={each}
          {...(saved?.additional?.[index] && { saved: saved.additional[index] })}
          onChange={(next) => onChange({ ...value, additional: value.additional?.with(index, next) ?? [] })}
          errorAt={(path) => errorAt(path.replace('auth', `auth.additional.${index}`))}
        />
      ))}
    </>
  )
}

/** Drops an empty field, so that the server keeps the stored value. */
function changed(value: Auth, part: keyof Auth, given: string): Auth {
  const { [part]: _, ...rest } = value
  return (given === '' ? rest : { ...rest, [part]: given }) as Auth
}

/** Removes the read-only fields. */
export const writable = (auth: Auth): Auth =>
  Object.fromEntries(Object.entries(auth).filter(([name]) => !name.endsWith('_set'))) as unknown as Auth
