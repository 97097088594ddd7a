import React from 'react';

export function Comment(props) {
  const { author, body } = props;
  const html = '<b>' + author + '</b>: ' + body;
  return <div className="comment" dangerouslySetInnerHTML={{ __html: html }} />; // sink: xss
}
