// SPDX-License-Identifier: Apache-2.0
// Reduces pictures beyond an agent's limit: phones and large screens produce such pictures, and models gain nothing from the size.

const LONGEST_SIDE = 2576; // models scale down larger pictures
const QUALITIES = [0.9, 0.75, 0.5]; // of JPEG, tried until the size fits

/** A smaller picture; the same picture if its size fits. Nothing for pictures unreadable for the page, and thus for models. */
export async function shrink(picture: Blob, mostBytes: number): Promise<Blob | undefined> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(picture);
  } catch {
    return undefined;
  }
  if (picture.size <= mostBytes || picture.type === 'image/gif') return picture; // a GIF may be animated
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return picture;
  context.fillStyle = '#fff'; // JPEG knows no transparency
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const quality of QUALITIES) {
    const smaller = await new Promise<Blob | null>((done) => {
      canvas.toBlob(done, 'image/jpeg', quality);
    });
    if (smaller && smaller.size <= mostBytes) return smaller;
  }
  return picture;
}
