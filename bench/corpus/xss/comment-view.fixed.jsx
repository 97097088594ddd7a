import React from 'react';

export function Comment(props) {
  const { author, body } = props;
  return (
    <div className="comment">
      <b>{author}</b>: {body}
    </div>
  );
}
