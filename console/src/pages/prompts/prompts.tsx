import { ScrollText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewPrompt } from './new-prompt.tsx'

const maxVariables = 5

export default function Prompts() {
  return (
    <ListPage
      title="Prompts"
      lead="Reusable prompt templates with variables."
      resource={['prompt-templates', 'list']}
      read={parley.promptTemplates.list}
      search="Search prompts"
      none="No matching templates"
      create={{
        label: 'New template',
        may: 'write-configuration',
        dialog: (close) => <NewPrompt onClose={close} />,
      }}
      empty={{
        icon: ScrollText,
        title: 'No templates yet',
        text: (
          <>
            Use <code>{'{{persona}}'}</code> for variables. Each agent fills in its own values.
          </>
        ),
      }}
      to={({ id }) => `/prompts/${id}`}
      columns={[
        nameColumn,
        {
          title: 'Variables',
          minor: true,
          cell: ({ variables }) => (
            <span className="row">
              {variables.slice(0, maxVariables).map((name) => (
                <Badge key={name} tone="accent">
                  {name}
                </Badge>
              ))}
              {variables.length > maxVariables && `+${variables.length - maxVariables}`}
            </span>
          ),
        },
        { title: 'Version', minor: true, numeric: true, cell: ({ version }) => version },
        { title: 'Updated', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
