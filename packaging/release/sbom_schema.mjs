// SPDX-License-Identifier: Apache-2.0
// Checks an SBOM against the rules of SPDX 2.3 (spdx-schema.json) for the fields that notices.mjs writes. Written by hand, because SPDX offers
// its schema in no npm or Debian package.
import { failed, isText, unknownNames } from './rules.mjs';

const id = /^SPDXRef-[A-Za-z0-9.-]+$/;
const relations = ['DESCRIBES', 'STATIC_LINK', 'CONTAINS'];
const documentNames = ['spdxVersion', 'dataLicense', 'SPDXID', 'name', 'documentNamespace', 'creationInfo', 'packages'];
const packageNames = [
  ...['SPDXID', 'name', 'versionInfo', 'downloadLocation', 'filesAnalyzed', 'licenseConcluded', 'licenseDeclared'],
  ...['copyrightText', 'primaryPackagePurpose', 'externalRefs'],
];

function packageFaults(each) {
  const where = `package ${each.name}`;
  return [
    ...failed([
      [id.test(each.SPDXID), `${where}: SPDXID is no identifier`],
      [isText(each.name), 'a package has no name'],
      [isText(each.versionInfo), `${where}: versionInfo is missing`],
      [isText(each.downloadLocation), `${where}: downloadLocation is missing`],
      [isText(each.licenseDeclared), `${where}: licenseDeclared is missing`],
      [each.filesAnalyzed === false, `${where}: filesAnalyzed needs a verification code`],
      [
        (each.externalRefs ?? []).every(
          ({ referenceCategory, referenceType, referenceLocator }) =>
            referenceCategory === 'PACKAGE-MANAGER' &&
            referenceType === 'purl' &&
            /^pkg:(deb\/debian|npm)\/[^@\s]+@[^\s]+$/.test(referenceLocator),
        ),
        `${where}: externalRefs has no purl`,
      ],
    ]),
    ...unknownNames(where, each, packageNames),
  ];
}

/** Faults of an SBOM. */
export function sbomFaults(sbom) {
  const ids = ['SPDXRef-DOCUMENT', ...sbom.packages.map((each) => each.SPDXID)];
  return [
    ...failed([
      [sbom.spdxVersion === 'SPDX-2.3', 'spdxVersion is not SPDX-2.3'],
      [sbom.dataLicense === 'CC0-1.0', 'dataLicense is not CC0-1.0'],
      [sbom.SPDXID === 'SPDXRef-DOCUMENT', 'SPDXID is not SPDXRef-DOCUMENT'],
      [isText(sbom.name), 'name is missing'],
      [/^[a-z][a-z0-9+.-]*:[^#\s]+$/.test(sbom.documentNamespace), 'documentNamespace is no URI'],
      [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(sbom.creationInfo.created), 'created is no time in UTC'],
      [sbom.creationInfo.creators.every((each) => /^Tool: \S/.test(each)), 'creators names no tool'],
      [new Set(ids).size === ids.length, 'an SPDXID occurs twice'],
      [
        sbom.relationships.every(
          ({ spdxElementId, relationshipType, relatedSpdxElement }) =>
            ids.includes(spdxElementId) && relations.includes(relationshipType) && ids.includes(relatedSpdxElement),
        ),
        'a relationship names an unknown element or type',
      ],
      [
        ids.slice(1).every((each) => sbom.relationships.some((relation) => relation.relatedSpdxElement === each)),
        'a package has no relationship',
      ],
    ]),
    ...unknownNames('sbom', sbom, [...documentNames, 'relationships']),
    ...sbom.packages.flatMap(packageFaults),
  ];
}
