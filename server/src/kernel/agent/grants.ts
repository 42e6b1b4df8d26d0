import { createHash } from 'node:crypto'
import type { AgentTool, Grants } from './agent-tool.ts'

/** Changes with everything that an approver saw of the tools with one id. */
export function toolsVersion(tools: readonly AgentTool[]): string {
  const seen = tools.map(({ revision, part, description, parameters, target, readOnly, approvers, requiresApproval }) =>
    JSON.stringify([revision, part, description, parameters, target, readOnly, approvers, requiresApproval]),
  )
  return createHash('sha256').update(seen.sort().join('\n')).digest('hex').slice(0, 32)
}

/** A grant holds while the tool is as it was when it was granted. */
export const withGrants = (tools: AgentTool[], grants: Grants = {}): AgentTool[] =>
  tools.map((tool) => {
    const version = grants[tool.id]
    const isGranted = version !== undefined && version === toolsVersion(tools.filter(({ id }) => id === tool.id))
    return isGranted ? { ...tool, requiresApproval: false } : tool
  })
