import type { Schemas } from '@parley/client'
import { useState } from 'react'
import type { Fields } from '../../parts/form.ts'
import { SecretField, SelectField, TextField } from '../../ui/field.tsx'

export type Auth = NonNullable<Schemas['NewApiTool']['auth']>

const types: { value: Auth['type']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'api_key', label: 'API key' },
  { value: 'basic', label: 'Basic auth' },
  { value: 'oauth2', label: 'OAuth2: connected accounts' },
  { value: 'oauth2_client_credentials', label: 'OAuth2 client credentials' },
]

const secrets = {
  none: null,
  bearer: { part: 'token', isSet: 'token_set', label: 'Token' },
  api_key: { part: 'value', isSet: 'value_set', label: 'Key' },
  basic: { part: 'password', isSet: 'password_set', label: 'Password' },
  oauth2_client_credentials: { part: 'client_secret', isSet: 'client_secret_set', label: 'Client secret' },
  oauth2: { part: 'client_secret', isSet: 'client_secret_set', label: 'Client secret' },
} as const

interface AuthProps {
  form: Fields<Auth>
  /** The saved authentication. It says whether a secret is set, never its value. */
  saved?: Schemas['ApiTool']['auth'] | undefined
}

/** The authentication of a tool. Secrets are write-only, and the server keeps those that are left out. */
export function AuthFields({ form, saved }: AuthProps) {
  const { type, additional = [] } = form.draft
  const secret = secrets[type]
  const isSaved = secret !== null && saved?.type === type && saved[secret.isSet] === true
  return (
    <>
      <SelectField
        label="Authentication"
        error={form.error}
        value={type}
        onChange={(next) => form.set({ type: next })}
        options={types}
      />
      {type === 'api_key' && (
        <div className="columns">
          <SelectField
            label="Send in"
            {...form.field('in', undefined)}
            value={form.draft.in ?? 'header'}
            options={[
              { value: 'header', label: 'Header' },
              { value: 'query', label: 'Query' },
            ]}
          />
          <TextField label="Parameter name" hint="Default: X-API-Key." {...form.field('name', undefined)} />
        </div>
      )}
      {type === 'basic' && <TextField label="Username" {...form.field('username', undefined)} />}
      {type === 'oauth2_client_credentials' && (
        <>
          <TextField label="Token URL" {...form.field('token_url', undefined)} />
          <div className="columns">
            <TextField label="Client ID" {...form.field('client_id', undefined)} />
            <TextField label="Scope" hint="Separated by spaces." {...form.field('scope', undefined)} />
          </div>
        </>
      )}
      {type === 'oauth2' && (
        <>
          <SelectField
            label="Account"
            hint="Whose account calls use. Each person connects their own in the chat."
            {...form.field('account', undefined)}
            value={form.draft.account ?? 'user'}
            options={[
              { value: 'user', label: 'Of the person who asks' },
              { value: 'workspace', label: 'One for the workspace' },
            ]}
          />
          <div className="columns">
            <TextField
              label="Authorization URL"
              hint="MCP servers: leave empty to discover it."
              {...form.field('authorization_url', undefined)}
            />
            <TextField label="Token URL" {...form.field('token_url', undefined)} />
          </div>
          <div className="columns">
            <TextField label="Client ID" {...form.field('client_id', undefined)} />
            <ScopesField scopes={form.draft.scopes ?? []} onChange={(scopes) => form.change({ scopes })} />
          </div>
        </>
      )}
      {secret && (
        <SecretField
          label={secret.label}
          hint="Stored encrypted and never shown again. Enter it again if you change the URL."
          placeholder={isSaved ? 'Unchanged' : ''}
          {...form.field(secret.part, undefined)}
        />
      )}
      {additional.map((each, index) => (
        <AuthFields
          key={`${each.type} ${each.name ?? ''}`}
          form={form.part('additional').part(index)}
          saved={saved?.additional?.[index]}
        />
      ))}
    </>
  )
}

/** Removes the read-only fields. */
export const writable = (auth: Auth): Auth =>
  Object.fromEntries(Object.entries(auth).filter(([name]) => !name.endsWith('_set'))) as unknown as Auth

/** The text keeps the spaces that are typed between scopes. */
function ScopesField({ scopes, onChange }: { scopes: string[]; onChange: (scopes: string[]) => void }) {
  const [text, setText] = useState(scopes.join(' '))
  const change = (next: string) => {
    setText(next)
    onChange(next.split(/\s+/).filter((scope) => scope !== ''))
  }
  return <TextField label="Scopes" hint="Separated by spaces." value={text} onChange={change} />
}
