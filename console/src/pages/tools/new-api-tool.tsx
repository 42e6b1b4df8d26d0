import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { type Auth, AuthFields } from './auth-fields.tsx'
import type { ApiTool } from './kinds.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({
  value,
  label: value,
}))

export function NewApiTool({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [type, setType] = useState<ApiTool['type']>('http')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [method, setMethod] = useState<ApiTool['method']>('GET')
  const [url, setUrl] = useState('')
  const [auth, setAuth] = useState<Auth>({ type: 'none' })
  const create = useSave({
    touches: ['tools', 'api-tools', 'status'],
    run: () => parley.apiTools.create({ type, name, description, url, auth, ...(type === 'http' && { method }) }),
    done: ({ name: made }) => `${made} is there. Try it, then give it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/api/${id}` }),
  })
  return (
    <FormDialog
      title="New API tool"
      description="One call of an HTTP API, or every tool of an MCP server."
      save={create}
      action="Create tool"
      isComplete={[name, description, url].every((text) => text.trim() !== '')}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <div className="columns">
            <SelectField
              label="Kind"
              value={type}
              onChange={(next) => setType(next as ApiTool['type'])}
              options={[
                { value: 'http', label: 'HTTP API' },
                { value: 'mcp', label: 'MCP server' },
              ]}
            />
            <TextField
              label="Name"
              hint="Letters, digits, _ and -: what the model calls."
              value={name}
              placeholder={type === 'mcp' ? 'tracker' : 'get_weather'}
              onChange={setName}
              error={wrong('name')}
              required
            />
          </div>
          <TextArea
            label="Description"
            hint="Tells the model what it does and when to use it."
            rows={2}
            value={description}
            onChange={setDescription}
            error={wrong('description')}
            required
          />
          {type === 'http' && (
            <SelectField
              label="Method"
              value={method}
              onChange={(next) => setMethod(next as ApiTool['method'])}
              options={methods}
            />
          )}
          <TextField
            label="Address"
            {...(type === 'http' && { hint: '{name} stands for an argument, encoded for its place.' })}
            value={url}
            placeholder={type === 'mcp' ? 'https://mcp.example.com/mcp' : 'https://api.example.com/weather/{city}'}
            onChange={setUrl}
            error={wrong('url')}
            required
          />
          <AuthFields value={auth} onChange={setAuth} wrong={wrong} />
        </>
      )}
    </FormDialog>
  )
}
