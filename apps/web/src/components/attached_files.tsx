// SPDX-License-Identifier: Apache-2.0
// Files for a message: the button, drag and drop, pasting, and the list of attachments with their problems.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isPicture, type Attached, type Faults } from '../attachments';
import { bytes } from '../format';
import { t } from '../strings';
import { useApp } from './context';
import { Icon } from './icons';

/** Files of a clipboard. Office programs add a picture to every text: then only the text is wanted. */
export function filesIn(data: DataTransfer | null): File[] {
  if (!data || (data.types.includes('text/plain') && data.types.includes('text/html'))) return [];
  return [...data.files];
}

export function AttachButton() {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="quiet attach"
        aria-label={t.attach}
        title={t.attach_hint}
        onClick={() => input.current!.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(e) => {
          app.attach([...(e.currentTarget.files ?? [])]);
          e.currentTarget.value = ''; // the same file may be chosen again
        }}
      />
    </>
  );
}

/** Files may be dropped anywhere on the page: missing the box must not make the browser leave the page for the file. */
export function DropZone() {
  const app = useApp();
  const over = useSignal(false);
  useEffect(() => {
    const bringsFiles = (e: DragEvent) => e.dataTransfer?.types.includes('Files') ?? false;
    const onOver = (e: DragEvent) => {
      if (!bringsFiles(e)) return;
      e.preventDefault();
      over.value = true;
    };
    const onLeave = (e: DragEvent) => {
      if (e.relatedTarget === null) over.value = false;
    };
    const onDrop = (e: DragEvent) => {
      over.value = false;
      if (!bringsFiles(e)) return;
      e.preventDefault();
      const folders = new Set(
        [...e.dataTransfer!.items]
          .map((item) => item.webkitGetAsEntry?.())
          .filter((entry) => entry?.isDirectory)
          .map((entry) => entry!.name),
      );
      const [folder] = folders;
      if (folder !== undefined) app.notice.value = t.no_folders(folder);
      app.attach([...e.dataTransfer!.files].filter((file) => !folders.has(file.name)));
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [app]);
  return over.value ? (
    <div class="drop-here" aria-hidden="true">
      <span>
        <Icon name="clip" />
        {t.drop_here}
      </span>
    </div>
  ) : null;
}

interface DraftProps {
  files: readonly Attached[];
  faults: Faults;
  onRemove: (id: number) => void;
}

export function DraftFilesView({ files, faults, onRemove }: DraftProps) {
  const said = [...new Set([...faults.each.values(), faults.all])].filter((text) => text !== '');
  return (
    <>
      {files.length > 0 && (
        <ul class="files" aria-label={t.attached_files}>
          {files.map((attached) => (
            <li key={attached.id} class={`file${faults.each.has(attached.id) ? ' faulty' : ''}`}>
              <LocalFace file={attached} />
              <button
                type="button"
                class="quiet remove"
                aria-label={t.remove_file(attached.name)}
                onClick={() => onRemove(attached.id)}
              >
                <Icon name="cross" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="file-faults" role="alert">
        {said.map((text) => (
          <p key={text} class="note bad">
            {text}
          </p>
        ))}
      </div>
    </>
  );
}

/** The files of an unconfirmed message. */
export function LocalFiles({ files }: { files: readonly Attached[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="files sent" aria-label={t.came_with}>
      {files.map((attached) => (
        <li key={attached.id} class="file">
          <LocalFace file={attached} />
        </li>
      ))}
    </ul>
  );
}

function LocalFace({ file }: { file: Attached }) {
  const shown = isPicture(file.mediaType) && file.blob.size > 0;
  const url = useMemo(() => (shown ? URL.createObjectURL(file.blob) : ''), [file.blob, shown]);
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  return (
    <FileFace
      name={file.name}
      size={file.blob.size}
      url={url}
      more={file.wasBytes === undefined ? '' : t.made_smaller(bytes(file.wasBytes))}
    />
  );
}

/** A small picture or the sign of a file, its name and size. */
export function FileFace({ name, size, url, more = '' }: { name: string; size: number; url: string; more?: string }) {
  return (
    <>
      {url ? (
        <img class="thumb" src={url} alt="" />
      ) : (
        <span class="thumb">
          <Icon name="file" />
        </span>
      )}
      <span class="file-text">
        <span class="file-name" title={name}>
          {name || t.unnamed_file}
        </span>
        <span class="file-size">
          {bytes(size)}
          {more && `, ${more}`}
        </span>
      </span>
    </>
  );
}
