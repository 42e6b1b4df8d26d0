import { ScrollText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ListPage, nameColumn } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewPrompt } from './new-prompt.tsx'

const mostShown = 5

export default function Prompts() {
  return (
    <ListPage
      title="Prompts"
      lead="Texts with variables, written once and used by many agents."
      resource={['prompt-templates', 'list']}
      read={parley.promptTemplates.list}
      search="Search prompts"
      none="No template is called that"
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
            Write <code>{'{{persona}}'}</code> where a value goes; each agent fills in its own.
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
              {variables.slice(0, mostShown).map((name) => (
                <Badge key={name} tone="accent">
                  {name}
                </Badge>
              ))}
              {variables.length > mostShown && `+${variables.length - mostShown}`}
            </span>
          ),
        },
        { title: 'Version', minor: true, numeric: true, cell: ({ version }) => version },
        { title: 'Changed', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
