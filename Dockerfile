# The one image of every role: `escriba api`, `escriba worker`, `escriba operator`, …
#
#   docker build --target cpu -t registry.example.com/escriba:0.1.0 .
#   docker build --target cuda -t registry.example.com/escriba:0.1.0-cuda --build-arg ONNXRUNTIME=cuda12 .
#
# It holds FFmpeg's libraries in a GPL build with libfdk-aac (npm package node-av). That is fine to build and to run
# inside a company, and not to hand on to others: docs/decisions/ffmpeg-licence.md.

# Debian with Node 24 and npm, to build with. Another one, e.g. a mirror's, by --build-arg.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
# What the image of the CPU stands on.
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim
# What the image of a GPU stands on: CUDA 12's runtime and cuDNN 9, as onnxruntime's CUDA provider wants them.
ARG CUDA_IMAGE=docker.io/nvidia/cuda:12.8.1-cudnn-runtime-ubuntu22.04

FROM ${NODE_IMAGE} AS build
# `cuda12` brings onnxruntime's CUDA provider (NuGet, 300 MB); `skip` does not.
ARG ONNXRUNTIME=skip
WORKDIR /app
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY prisma prisma
COPY process/generate-prisma.cjs process/
# The secret `ca` is optional: authorities of a company's registry mirror.
RUN --mount=type=secret,id=ca,target=/run/ca.pem \
    if [ -s /run/ca.pem ]; then export NODE_EXTRA_CA_CERTS=/run/ca.pem; fi; \
    npm_config_onnxruntime_node_install=${ONNXRUNTIME} npm ci --no-audit --no-fund
COPY . .
RUN node workflows/write-bundle.ts workflows.bundle.js \
    && node image/trim.ts \
    # Authorities for what is not Node (the Temporal SDK); Debian's slim image has none, and these need no package.
    && node -p 'require("node:tls").rootCertificates.join("\n")' > image/ca-certificates.crt

FROM ${CUDA_IMAGE} AS cuda
RUN groupadd -g 10001 escriba && useradd -u 10001 -g 10001 -M -d /tmp -s /usr/sbin/nologin escriba
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build /app/image/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s /app/cli/escriba.js /usr/local/bin/escriba
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    ESCRIBA_WORKFLOW_BUNDLE=/app/workflows.bundle.js
USER 10001:10001
ENTRYPOINT ["escriba"]

FROM ${BASE_IMAGE} AS cpu
RUN groupadd -g 10001 escriba && useradd -u 10001 -g 10001 -M -d /tmp -s /usr/sbin/nologin escriba
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build /app/image/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s /app/cli/escriba.js /usr/local/bin/escriba
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    ESCRIBA_WORKFLOW_BUNDLE=/app/workflows.bundle.js
USER 10001:10001
ENTRYPOINT ["escriba"]
