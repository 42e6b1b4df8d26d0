import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { type Auth, AuthFields } from './auth-fields.tsx'
import type { ApiTool } from './tool-types.ts'

type Method = ApiTool['method']

export const methods = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const).map((value) => ({
  value,
  label: value,
}))

export function NewApiTool({ type, onClose }: { type: ApiTool['type']; onClose: () => void }) {
  const navigate = useNavigate()
  const isMcp = type === 'mcp'
  const form = useForm({
    saved: { name: '', description: '', method: 'GET' as Method, url: '', auth: { type: 'none' } as Auth },
    invalidates: ['tools', 'api-tools', 'status'],
    run: ({ method, ...draft }) => parley.apiTools.create({ type, ...draft, ...(!isMcp && { method }) }),
    toast: ({ name }) => `${name} created. Try it, then add it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/api/${id}` }),
  })
  const { name, description, url } = form.draft
  return (
    <FormDialog
      title={isMcp ? 'Connect an MCP server' : 'New API tool'}
      description={isMcp ? 'Agents can use all of its tools.' : 'One HTTP API call that agents can make.'}
      form={form}
      action={isMcp ? 'Connect' : 'Create tool'}
      isComplete={[name, description, url].every((text) => text.trim() !== '')}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={`Letters, digits, _ and -. ${isMcp ? 'The names of its tools begin with it.' : 'The model calls the tool by this name.'}`}
        placeholder={isMcp ? 'tracker' : 'get_weather'}
        required
        {...form.field('name')}
      />
      <TextArea
        label="Description"
        hint={isMcp ? 'What the server is for.' : 'Tells the model what the tool does and when to use it.'}
        rows={2}
        required
        {...form.field('description')}
      />
      {!isMcp && <SelectField label="Method" {...form.field('method')} options={methods} />}
      <TextField
        label="URL"
        hint={!isMcp && 'Use {name} to insert an argument.'}
        placeholder={isMcp ? 'https://mcp.example.com/mcp' : 'https://api.example.com/weather/{city}'}
        required
        {...form.field('url')}
      />
      <AuthFields form={form.part('auth')} />
    </FormDialog>
  )
}
