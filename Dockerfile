# Edgewise as a container that runs as nobody in particular, on a read-only file system with one volume:
#
#     docker build -t edgewise .
#     docker run --read-only --cap-drop ALL -v edgewise:/data -p 127.0.0.1:8501:8501 edgewise
#
# docs/deploy.md tells how to put it behind a proxy with TLS.
FROM python:3.11-slim-bookworm

WORKDIR /src
COPY requirements.txt .ci/constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt
COPY pyproject.toml setup.py README.md LICENSE app.py mkdocs.yml ./
COPY .streamlit .streamlit
COPY learners learners
COPY lessons lessons
COPY pages pages
COPY sample_data sample_data
COPY viz viz
COPY docs docs
# The documentation becomes part of the package.
RUN pip install --no-cache-dir -r docs/requirements.txt -c constraints.txt && python -B -m mkdocs build --quiet
RUN pip install --no-cache-dir --no-deps .

# All that is ever written: compiled kernels, what visitors make, and uploads while they arrive.
ENV HOME=/data EDGEWISE_CACHE=/data/cache EDGEWISE_DATA=/data/work TMPDIR=/data/tmp
RUN mkdir -p /data/tmp && chown -R 10001:10001 /data
WORKDIR /data
USER 10001:10001
# A new volume begins with what the image has here. On another kind of processor they are compiled again.
RUN edgewise warm-up
VOLUME /data

ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_FILE_WATCHER_TYPE=none STREAMLIT_SERVER_BASE_URL_PATH=""
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s CMD python -c "import os, urllib.request as web; \
    path = os.environ['STREAMLIT_SERVER_BASE_URL_PATH'] + '/_stcore/health'; \
    web.urlopen('http://127.0.0.1:8501/' + path.lstrip('/'))"
ENTRYPOINT ["edgewise", "app"]
