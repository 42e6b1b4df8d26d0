import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Fields } from '../../parts/form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckField, NumberField, TextArea, TextField } from '../../ui/field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { Configuration, SourceType } from './source-types.ts'

interface FieldsProps {
  form: Fields<Configuration>
}

interface ConfigurationProps {
  type: SourceType
  form: Fields<{ configuration: Configuration }>
}

const mebibyte = 1024 * 1024

/** The configuration of a source by its type. The server has defaults for empty fields. */
export function ConfigurationFields({ type, form }: ConfigurationProps) {
  const configuration = form.part('configuration')
  if (type === 'text') return <Texts form={configuration} />
  if (type === 'web') return <Website form={configuration} />
  return (
    <>
      {type === 'directory' && (
        <TextField
          label="Folder"
          hint="Path on the server, inside one of the DIRECTORY_ROOTS."
          placeholder="handbook"
          {...configuration.field('path', undefined)}
          error={configuration.errorAt('path') ?? form.errorAt('type')}
        />
      )}
      <Files form={configuration} />
    </>
  )
}

const Website = ({ form }: FieldsProps) => (
  <>
    <UrlsField {...form.field('urls', undefined)} />
    <TextField
      label="Sitemap"
      hint="Optional. Used instead of links or in addition to them."
      placeholder="https://docs.example.com/sitemap.xml"
      {...form.field('sitemap', undefined)}
    />
    <div className="columns">
      <NumberField label="Max pages" min={1} max={10_000} placeholder="100" {...form.field('max_pages', undefined)} />
      <NumberField label="Max depth" min={0} max={20} placeholder="3" {...form.field('max_depth', undefined)} />
    </div>
  </>
)

interface UrlsProps {
  value: readonly string[] | undefined
  onChange: (urls: string[]) => void
  error: string | undefined
}

function UrlsField({ value = [], onChange, error }: UrlsProps) {
  // Spaces and empty lines stay while the user types.
  const [text, setText] = useState(value.join('\n'))
  return (
    <TextArea
      label="URLs"
      hint="One per line. The crawler starts here, follows links on the same sites and respects robots.txt."
      rows={3}
      placeholder="https://docs.example.com/"
      value={text}
      error={error}
      onChange={(next) => {
        setText(next)
        onChange(next.split('\n').flatMap((line) => line.trim() || []))
      }}
    />
  )
}

function Files({ form }: FieldsProps) {
  const size = form.field('max_file_size', undefined)
  return (
    <>
      <div className="columns">
        <TagsField
          label="File types"
          hint="Empty: all supported types."
          placeholder="pdf"
          {...form.field('file_types', undefined)}
        />
        <NumberField
          label="Max file size (MiB)"
          min={1}
          step="any"
          placeholder="50"
          {...size}
          value={size.value === undefined ? null : size.value / mebibyte}
          onChange={(mebibytes) => size.onChange(mebibytes === null ? null : Math.round(mebibytes * mebibyte))}
        />
      </div>
      <TagsField
        label="Languages of scans and images"
        hint="Tesseract codes, such as deu. Empty: those that are installed."
        placeholder="eng"
        {...form.field('ocr_languages', undefined)}
      />
      <CheckField label="Read hidden sheets of workbooks" {...form.field('include_hidden', undefined)} />
    </>
  )
}

function Texts({ form }: FieldsProps) {
  const texts = form.draft.documents ?? []
  const setTexts = (documents: typeof texts) => form.change({ documents })
  return (
    <div className="stack">
      {texts.map(({ title }, index) => {
        const text = form.part('documents').part(index)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts have no id
          <fieldset key={index} className="card inset" aria-label={`Text ${index + 1}`}>
            <div className="row nowrap">
              <div className="grow">
                <TextField label="Title" {...text.field('title')} />
              </div>
              <IconButton
                icon={Trash2}
                label={`Remove ${title || `text ${index + 1}`}`}
                onClick={() => setTexts(texts.filter((_, each) => each !== index))}
              />
            </div>
            <TextArea label="Text" hint="Plain text or Markdown." rows={6} {...text.field('content')} />
          </fieldset>
        )
      })}
      <div>
        <Button icon={Plus} onClick={() => setTexts([...texts, { title: '', content: '' }])}>
          Add text
        </Button>
      </div>
    </div>
  )
}
