import type { Schemas } from '@parley/client'
import { SelectField, TextField } from '../../ui/field.tsx'

export type Auth = NonNullable<Schemas['NewApiTool']['auth']>

const types = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api_key', label: 'API key' },
  { value: 'basic', label: 'User name and password' },
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
  /** What the service has: it says whether a secret is set, never which. */
  saved?: Auth
  onChange: (value: Auth) => void
  wrong: (path: string) => string | undefined
}

/** How a call proves who it is. Secrets are written here and never read back. */
export function AuthFields({ value, saved, onChange, wrong }: AuthProps) {
  const secret = secrets[value.type]
  const isSaved = secret !== null && saved?.type === value.type && saved[secret.isSet] === true
  const text = (part: 'name' | 'username' | 'token_url' | 'client_id' | 'scope', label: string, hint?: string) => (
    <TextField
      label={label}
      {...(hint && { hint })}
      value={value[part] ?? ''}
      error={wrong(`auth.${part}`)}
      onChange={(given) => onChange(changed(value, part, given))}
    />
  )
  return (
    <>
      <SelectField
        label="Authentication"
        value={value.type}
        error={wrong('auth')}
        onChange={(type) => onChange({ type: type as Auth['type'] })}
        options={types}
      />
      {value.type === 'api_key' && (
        <div className="columns">
          <SelectField
            label="Where it goes"
            value={value.in ?? 'header'}
            onChange={(where) => onChange({ ...value, in: where as 'header' | 'query' })}
            options={[
              { value: 'header', label: 'Header' },
              { value: 'query', label: 'Query' },
            ]}
          />
          {text('name', 'Its name', 'Empty for X-API-Key.')}
        </div>
      )}
      {value.type === 'basic' && text('username', 'User name')}
      {value.type === 'oauth2_client_credentials' && (
        <>
          {text('token_url', 'Where tokens are given')}
          <div className="columns">
            {text('client_id', 'Client id')}
            {text('scope', 'Scope', 'Separated by spaces.')}
          </div>
        </>
      )}
      {secret && (
        <TextField
          label={secret.label}
          hint="Kept encrypted and never shown again. A new address needs it again."
          type="password"
          autoComplete="off"
          value={value[secret.part] ?? ''}
          placeholder={isSaved ? 'Stays as it is' : ''}
          error={wrong(`auth.${secret.part}`)}
          onChange={(given) => onChange(changed(value, secret.part, given))}
        />
      )}
    </>
  )
}

/** What is left empty is left out: then the service keeps what it has. */
function changed(value: Auth, part: keyof Auth, given: string): Auth {
  const { [part]: _, ...rest } = value
  return (given === '' ? rest : { ...rest, [part]: given }) as Auth
}

/** What can be sent back of what was read. */
export const writable = (auth: Auth): Auth =>
  Object.fromEntries(Object.entries(auth).filter(([name]) => !name.endsWith('_set'))) as unknown as Auth
