// SPDX-License-Identifier: Apache-2.0
// The attachments of a sent message: pictures, which open larger, and files to save. The page fetches their bytes on entry into the view,
// and drops the bytes on exit from the transcript.

import { useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isPicture } from '../attachments';
import { bytes } from '../format';
import type { AttachmentInfo } from '../protocol';
import { t } from '../strings';
import { FileFace } from './attached_files';
import { useApp } from './context';
import { Icon } from './icons';

const AHEAD = '400px'; // distance below the view for early loading

export function SentFiles({ files }: { files: readonly AttachmentInfo[] }) {
  if (files.length === 0) return null;
  const picturesFirst = [...files].sort((a, b) => Number(isPicture(b.media_type)) - Number(isPicture(a.media_type)));
  return (
    <ul class="files sent" aria-label={t.came_with}>
      {picturesFirst.map((attachmentInfo) => (
        <li key={attachmentInfo.id}>{face(attachmentInfo)}</li>
      ))}
    </ul>
  );
}

function face(file: AttachmentInfo) {
  if (file.url !== undefined) {
    const name = <FileFace name={file.name || file.url} size={file.bytes} url="" />;
    // The address is a stranger's: a link to a page, never a script.
    if (!/^https?:\/\//i.test(file.url)) return <span class="file">{name}</span>;
    return (
      <a class="file" href={file.url} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
    );
  }
  return isPicture(file.media_type) ? <Picture file={file} /> : <Saved file={file} />;
}

type Loaded = { state: 'waiting' | 'failed'; url: '' } | { state: 'there'; url: string };

/** The bytes of a picture in view. Another `asked` fetches the bytes again. */
function usePicture(element: RefObject<HTMLElement | null>, id: string, asked: number): Signal<Loaded> {
  const app = useApp();
  const loaded = useSignal<Loaded>({ state: 'waiting', url: '' });
  useEffect(() => {
    let gone = false;
    let url = '';
    const fetchIt = () =>
      app.host.attachment(id).then(
        (blob) => {
          if (gone) return;
          url = URL.createObjectURL(blob);
          loaded.value = { state: 'there', url };
        },
        () => {
          if (!gone) loaded.value = { state: 'failed', url: '' };
        },
      );
    const near = new IntersectionObserver(
      (seen) => {
        if (!seen.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        void fetchIt();
      },
      { rootMargin: AHEAD },
    );
    near.observe(element.current!);
    return () => {
      gone = true;
      near.disconnect();
      if (url) URL.revokeObjectURL(url);
    };
  }, [app, id, asked]);
  return loaded;
}

function Picture({ file }: { file: AttachmentInfo }) {
  const button = useRef<HTMLButtonElement>(null);
  const shown = useSignal(false);
  const asked = useSignal(0); // number of retries by the person
  const loaded = usePicture(button, file.id, asked.value);
  const { state, url } = loaded.value;
  const name = file.name || t.unnamed_file;
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`picture ${state}`}
        aria-label={state === 'failed' ? `${name}: ${t.file_not_loaded}` : t.show_picture(name)}
        title={`${name}, ${bytes(file.bytes)}`}
        onClick={() => {
          if (state === 'there') shown.value = true;
          else asked.value++;
        }}
      >
        {state === 'there' && (
          <img
            src={url}
            alt=""
            onError={() => {
              loaded.value = { state: 'failed', url: '' };
            }}
          />
        )}
        {state === 'failed' && (
          <span class="note">
            {name}
            <br />
            {t.file_not_loaded}
          </span>
        )}
      </button>
      {shown.value && <Viewer file={file} url={url} shown={shown} />}
    </>
  );
}

function Viewer({ file, url, shown }: { file: AttachmentInfo; url: string; shown: Signal<boolean> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
  }, []);
  const close = () => dialog.current!.close();
  const name = file.name || t.unnamed_file;
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={name}
      onClose={() => {
        shown.value = false;
      }}
      onClick={(e) => {
        if (e.target === e.currentTarget) close();
      }}
    >
      <div class="viewer-bar">
        <span class="file-name">{name}</span>
        <span class="faint">{bytes(file.bytes)}</span>
        <span class="grow" />
        <a class="small" href={url} download={name}>
          {t.save_as}
        </a>
        <button type="button" class="quiet" aria-label={t.close} onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <img src={url} alt={name} />
    </dialog>
  );
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // for the browser after the click
}

function Saved({ file }: { file: AttachmentInfo }) {
  const app = useApp();
  const name = file.name || t.unnamed_file;
  const save = () =>
    app.host.attachment(file.id).then(
      (blob) => {
        saveBlob(blob, name);
      },
      (error: Error) => {
        app.notice.value = t.request_failed(error.message);
      },
    );
  return (
    <button
      type="button"
      class="file"
      aria-label={`${t.save_file(name)}, ${bytes(file.bytes)}`}
      onClick={() => void save()}
    >
      <FileFace name={name} size={file.bytes} url="" />
    </button>
  );
}
