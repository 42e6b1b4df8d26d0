import { type Auth, writable } from './auth-fields.tsx'
import type { ApiTool } from './tool-types.ts'

/** The editable fields of an API tool. */
export const toDraft = (tool: ApiTool) => ({
  name: tool.name,
  description: tool.description,
  method: tool.method,
  url: tool.url,
  parameters: tool.parameters,
  headers: tool.headers,
  query: tool.query,
  body: tool.body as never,
  auth: writable(tool.auth as Auth),
  timeout_ms: tool.timeout_ms,
  response_path: tool.response_path,
  max_response_bytes: tool.max_response_bytes,
  requires_approval: tool.requires_approval,
  approvers: tool.approvers,
  approval_timeout_minutes: tool.approval_timeout_minutes,
})
export type ApiDraft = ReturnType<typeof toDraft>
