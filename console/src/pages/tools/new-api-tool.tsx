import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { type Auth, AuthFields } from './auth-fields.tsx'
import type { ApiTool } from './tool-types.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({
  value,
  label: value,
}))

export function NewApiTool({ type, onClose }: { type: ApiTool['type']; onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [method, setMethod] = useState<ApiTool['method']>('GET')
  const [url, setUrl] = useState('')
  const [auth, setAuth] = useState<Auth>({ type: 'none' })
  const create = useSave({
    invalidates: ['tools', 'api-tools', 'status'],
    run: () => parley.apiTools.create({ type, name, description, url, auth, ...(type === 'http' && { method }) }),
    toast: ({ name: made }) => `${made} created. Try it, then add it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/api/${id}` }),
  })
  return (
    <FormDialog
      title={type === 'mcp' ? 'Connect an MCP server' : 'New API tool'}
      description={type === 'mcp' ? 'Agents can use all of its tools.' : 'One HTTP API call that agents can make.'}
      save={create}
      action={type === 'mcp' ? 'Connect' : 'Create tool'}
      isComplete={[name, description, url].every((text) => text.trim() !== '')}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            hint={`Letters, digits, _ and -. ${type === 'mcp' ? 'The names of its tools begin with it.' : 'The model calls the tool by this name.'}`}
            value={name}
            placeholder={type === 'mcp' ? 'tracker' : 'get_weather'}
            onChange={setName}
            error={errorAt('name')}
            required
          />
          <TextArea
            label="Description"
            hint={type === 'mcp' ? 'What the server is for.' : 'Tells the model what the tool does and when to use it.'}
            rows={2}
            value={description}
            onChange={setDescription}
            error={errorAt('description')}
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
            label="URL"
            {...(type === 'http' && { hint: 'Use {name} to insert an argument.' })}
            value={url}
            placeholder={type === 'mcp' ? 'https://mcp.example.com/mcp' : 'https://api.example.com/weather/{city}'}
            onChange={setUrl}
            error={errorAt('url')}
            required
          />
          <AuthFields value={auth} onChange={setAuth} errorAt={errorAt} />
        </>
      )}
    </FormDialog>
  )
}
