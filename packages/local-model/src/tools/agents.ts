import { type ChosenTool, chooseTool, type Tool } from './choose-tool.ts'

const handoffPrefix = 'transfer_to_'

/** Whether a call passes the conversation on to another agent. */
export const isHandoffTool = ({ name }: Tool): boolean => name.startsWith(handoffPrefix)

/** Whether a tool is another agent, which takes one message. */
export function isAgentTool({ parameters }: Tool): boolean {
  const { properties } = parameters as { properties?: Record<string, unknown> }
  return Object.keys(properties ?? {}).join() === 'message'
}

/** A tool that takes a message as it is, so that only its name and its description decide whether it fits. */
const withoutArguments = (tool: Tool, name: string, description: string): Tool => ({
  ...tool,
  name,
  description,
  parameters: { type: 'object', properties: {} },
})

/** The agent that the conversation is passed on to, if the words of the message fit one. */
export function chooseHandoff(message: string, tools: readonly Tool[]): ChosenTool | null {
  const targets = tools.filter(isHandoffTool).map((tool) => {
    // Only the sentences after the first one describe the agent.
    const [, description = ''] = /^.*?which then answers the user\.(.*)$/s.exec(tool.description) ?? []
    return withoutArguments(tool, tool.name.slice(handoffPrefix.length), description)
  })
  const chosen = chooseTool(message, targets)
  return chosen && { name: `${handoffPrefix}${chosen.name}`, arguments: { reason: message } }
}

/** All agents that fit the words of the message, each asked with the whole message. */
export const chooseAgents = (message: string, tools: readonly Tool[]): ChosenTool[] =>
  tools
    .filter(isAgentTool)
    .filter((tool) => chooseTool(message, [withoutArguments(tool, tool.name, tool.description)]) !== null)
    .map((tool) => askAgent(message, tool))

export const askAgent = (message: string, { name }: Tool): ChosenTool => ({ name, arguments: { message } })
